/** The value of `--runtime`: one runtime, or several in order. */

/** `claude,codex` → both; a command line of its own or a recording is one, whatever it holds. */
export function runtimesOf(runtime: string): string[] {
  if (runtime.startsWith('acp:') || runtime.startsWith('replay:')) return [runtime];
  return runtime.split(',').map((id) => id.trim());
}
