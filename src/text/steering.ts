/**
 * Files whose content makes something else run: git's configuration and hooks, shells' start files, what package
 * managers and version managers read, and the agent programs' own settings. A mode that lets an agent write must not let
 * it write these, or it could run anything by way of a command that it may run (or that a program runs by itself).
 */

/** A path with such a part, wherever it stands. */
const FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  // Hooks that `core.hooksPath` commonly points at.
  '.husky',
  '.githooks',
  // Agent programs: hooks, plugins, servers and rules of their own.
  '.agents',
  '.claude',
  '.codex',
  '.copilot',
  '.factory',
  '.gemini',
  '.kilo',
  '.kilocode',
  '.opencode',
  '.pi',
  '.qwen',
  // Version managers.
  '.mise',
]);

const FILES: ReadonlySet<string> = new Set([
  // With `objects` and `refs` beside it, the folder is a repository to git.
  'head',
  'commondir',
  '.gitattributes',
  '.gitconfig',
  '.gitmodules',
  '.ripgreprc',
  '.bashrc',
  '.bash_aliases',
  '.bash_login',
  '.bash_logout',
  '.bash_profile',
  '.cshrc',
  '.envrc',
  '.inputrc',
  '.kshrc',
  '.login',
  '.mkshrc',
  '.profile',
  '.tcshrc',
  '.zlogin',
  '.zlogout',
  '.zprofile',
  '.zshenv',
  '.zshrc',
  'config.fish',
  // Read by Node's package managers and by Bun, which several programs are built on, when they start in a folder.
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.mise.toml',
  'mise.toml',
  '.tool-versions',
  '.mcp.json',
  'kilo.json',
  'kilo.jsonc',
  'opencode.json',
  'opencode.jsonc',
]);

/** `.env` and its kin are loaded by several programs at their start; samples of it are only read by people. */
const ENVIRONMENT = /^\.env(\.(?!example$|sample$|template$|dist$).*)?$/;
/** What HFS+ leaves out when it compares names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** A name as the loosest file system takes it: without case, ignorable characters, streams, and a dot or blank at the end. */
function folded(name: string): string {
  const plain = name.normalize('NFKC').replace(IGNORED, '').toLowerCase();
  return (plain.split(':')[0] ?? '').replace(/[. ]+$/, '') || plain;
}

/** Short names of Windows: `git~1` is `.git`. */
const SHORT = /^(git|gitatt|gitcon|gitmod)[0-9a-f]*~\d+$/;

/** Whether a file of this path, as it is written, could steer what runs unasked. Both separators count. */
export function steersByName(path: string): boolean {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.map(folded).some((part) => {
    return FOLDERS.has(part) || FILES.has(part) || ENVIRONMENT.test(part) || SHORT.test(part);
  });
}
