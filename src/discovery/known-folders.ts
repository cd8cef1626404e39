/** Folders that hold programs although the PATH of a desktop app lacks them: launchd and .desktop files know no shell profile. */

import { newestFirst } from './compare-versions.js';
import type { Files } from './files.js';
import type { Places } from './places.js';
import { expandHome, pathsOf, variable } from './places.js';

/** `~` is home, `$NAME` a variable (the line is skipped when it is not set), `*` any folder, newest version first. */
const UNIX = [
  '$npm_config_prefix/bin',
  '$NPM_CONFIG_PREFIX/bin',
  '~/.npm-global/bin',
  '~/.local/bin',
  '~/bin',
  '$PNPM_HOME',
  '$PNPM_HOME/bin',
  '~/.local/share/pnpm',
  '~/.yarn/bin',
  '~/.config/yarn/global/node_modules/.bin',
  '$BUN_INSTALL/bin',
  '~/.bun/bin',
  '$DENO_INSTALL/bin',
  '~/.deno/bin',
  '$CARGO_HOME/bin',
  '~/.cargo/bin',
  '$GOBIN',
  '$GOPATH/bin',
  '~/go/bin',
  '$NVM_DIR/versions/node/*/bin',
  '~/.nvm/versions/node/*/bin',
  '$XDG_CONFIG_HOME/nvm/versions/node/*/bin',
  '~/.config/nvm/versions/node/*/bin',
  '$FNM_DIR/aliases/default/bin',
  '$FNM_DIR/node-versions/*/installation/bin',
  '~/.local/share/fnm/aliases/default/bin',
  '~/.local/share/fnm/node-versions/*/installation/bin',
  '~/.fnm/node-versions/*/installation/bin',
  '$VOLTA_HOME/bin',
  '~/.volta/bin',
  '$MISE_DATA_DIR/shims',
  '~/.local/share/mise/shims',
  '$ASDF_DATA_DIR/shims',
  '~/.asdf/shims',
  '~/.nodenv/shims',
  '~/.pyenv/shims',
  '$UV_TOOL_DIR/*/bin',
  '~/.local/share/uv/tools/*/bin',
  '$PIPX_HOME/venvs/*/bin',
  '~/.local/share/pipx/venvs/*/bin',
  '~/.local/pipx/venvs/*/bin',
  '~/.nix-profile/bin',
];

const MAC = [
  '/opt/homebrew/bin',
  '~/Library/pnpm',
  '~/Library/Application Support/fnm/aliases/default/bin',
  '~/Library/Application Support/fnm/node-versions/*/installation/bin',
  '~/Library/Python/*/bin',
  '/opt/local/bin',
];

const LINUX = [
  '/home/linuxbrew/.linuxbrew/bin',
  '~/.linuxbrew/bin',
  '/snap/bin',
  '/var/lib/flatpak/exports/bin',
  '/run/current-system/sw/bin',
];

const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin'];

const WINDOWS = [
  '$npm_config_prefix',
  '$APPDATA/npm',
  '~/AppData/Roaming/npm',
  '~/.local/bin',
  '$PNPM_HOME',
  '$LOCALAPPDATA/pnpm',
  '~/AppData/Local/pnpm',
  '$LOCALAPPDATA/Yarn/bin',
  '~/AppData/Local/Yarn/bin',
  '$BUN_INSTALL/bin',
  '~/.bun/bin',
  '~/.deno/bin',
  '~/.cargo/bin',
  '~/go/bin',
  '$NVM_SYMLINK',
  '$NVM_HOME/*',
  '$FNM_DIR/node-versions/*/installation',
  '$APPDATA/fnm/node-versions/*/installation',
  '$VOLTA_HOME/bin',
  '$LOCALAPPDATA/Volta/bin',
  '$LOCALAPPDATA/mise/shims',
  '$SCOOP/shims',
  '~/scoop/shims',
  '$LOCALAPPDATA/Microsoft/WinGet/Links',
  '$ProgramData/chocolatey/bin',
  '$UV_TOOL_DIR/*/Scripts',
  '$APPDATA/uv/tools/*/Scripts',
  '~/pipx/venvs/*/Scripts',
  '$ProgramFiles/nodejs',
];

function templates(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') return WINDOWS;
  return [...UNIX, ...(platform === 'darwin' ? MAC : LINUX), ...SYSTEM];
}

/** Those folders on this machine, in the order they are searched. Not every one exists. */
export async function knownFolders(places: Places, files: Files): Promise<string[]> {
  const paths = pathsOf(places.platform);
  const folders = [...(await npmPrefix(places, files))];
  // The Node that runs us: `npm install -g` puts programs beside it.
  const node = places.turnout?.[0];
  if (node !== undefined && paths.isAbsolute(node)) folders.push(paths.dirname(node));
  for (const template of templates(places.platform)) folders.push(...(await expand(template, places, files)));
  return [...new Set(folders)];
}

/** `prefix=` of the user's npm configuration: where `npm install -g` puts programs. */
async function npmPrefix(places: Places, files: Files): Promise<string[]> {
  const paths = pathsOf(places.platform);
  const text = await files.text(paths.join(places.home, '.npmrc'));
  const line = text?.split(/\r?\n/).findLast((one) => /^\s*prefix\s*=/.test(one));
  if (line === undefined) return [];
  const value = line
    .slice(line.indexOf('=') + 1)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const prefix = value.replace(/\$\{(\w+)\}/g, (_, name: string) => variable(places, name) ?? '');
  const folder = expandHome(prefix, places);
  if (!paths.isAbsolute(folder)) return [];
  return [places.platform === 'win32' ? paths.normalize(folder) : paths.join(folder, 'bin')];
}

/** Turns one template into folders. Also used for the `places` of a runner. */
export async function expand(template: string, places: Places, files: Files): Promise<string[]> {
  const paths = pathsOf(places.platform);
  const named = /^\$(\w+)(.*)$/.exec(template);
  const start = named === null ? template : variable(places, named[1] ?? '');
  if (start === null) return [];
  const whole = paths.normalize(expandHome(`${start}${named?.[2] ?? ''}`, places));
  if (!paths.isAbsolute(whole)) return [];
  const parts = whole.split(`${paths.sep}*`);
  let folders = [parts[0] ?? ''];
  for (const rest of parts.slice(1)) {
    const found = await Promise.all(folders.map(async (folder) => children(folder, paths, files)));
    folders = found.flat().map((folder) => `${folder}${rest}`);
  }
  return folders;
}

async function children(folder: string, paths: ReturnType<typeof pathsOf>, files: Files): Promise<string[]> {
  const names = await files.names(folder);
  return newestFirst([...(names?.values() ?? [])]).map((name) => paths.join(folder, name));
}
