/** Codex reports commands as `/bin/bash -lc '…'`: the model's own command is the last word of that. */

/** Words of a command line that was quoted by machine; null when it can't be read. */
function words(line: string): string[] | null {
  const found: string[] = [];
  let word = '';
  let open = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? '';
    if (char === "'") {
      const end = line.indexOf("'", i + 1);
      if (end < 0) return null;
      word += line.slice(i + 1, end);
      i = end;
    } else if (char === '"') {
      for (i++; line[i] !== '"'; i++) {
        if (i >= line.length) return null;
        if (line[i] === '\\' && '"\\$`'.includes(line[i + 1] ?? ' ')) i++;
        word += line[i] ?? '';
      }
    } else if (char === '\\') {
      i++;
      word += line[i] ?? '';
    } else if (char === ' ') {
      if (open) found.push(word);
      word = '';
      open = false;
      continue;
    } else word += char;
    open = true;
  }
  if (open) found.push(word);
  return found;
}

const SHELL = /(^|[\\/])(bash|zsh|sh|dash|ksh|fish|pwsh|powershell|cmd)(\.exe)?$/i;
const RUN = /^(-l?c|-Command|\/c)$/i;

/** @returns the command as the model wrote it; a line that is not wrapped comes back as it is */
export function unwrapShell(line: string): string {
  const found = words(line);
  const [shell, ...rest] = found ?? [];
  const last = rest[rest.length - 1];
  if (shell === undefined || last === undefined || !SHELL.test(shell) || !RUN.test(rest[rest.length - 2] ?? ''))
    return line;
  return last;
}
