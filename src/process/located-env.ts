/**
 * Variables that describe where, and inside what, the launcher runs. The agent works somewhere else: in its own working
 * directory, inside nothing. docs/security.md has the same table, and a test compares the two.
 */

/** Left out of every runtime's environment, unless the caller gives them; `*` at the end matches any rest. */
export const LOCATION = {
  // `git rev-parse --local-env-vars`, but for GIT_CONFIG_COUNT, which configures; and what git sets around hooks.
  'the repository of the launcher': [
    'GIT_ALTERNATE_OBJECT_DIRECTORIES',
    'GIT_COMMON_DIR',
    'GIT_CONFIG',
    'GIT_CONFIG_PARAMETERS',
    'GIT_DIR',
    'GIT_GRAFT_FILE',
    'GIT_IMPLICIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_INTERNAL_SUPER_PREFIX',
    'GIT_NAMESPACE',
    'GIT_NO_REPLACE_OBJECTS',
    'GIT_OBJECT_DIRECTORY',
    'GIT_PREFIX',
    'GIT_PUSH_OPTION_*',
    'GIT_QUARANTINE_PATH',
    'GIT_REFLOG_ACTION',
    'GIT_REPLACE_REF_BASE',
    'GIT_SHALLOW_FILE',
    'GIT_WORK_TREE',
  ],
  'the folder of the launcher': ['OLDPWD', 'INIT_CWD', 'PROJECT_CWD', 'VSCODE_CWD', 'DIRENV_*'],
  'the script runner, build or test around it': [
    'npm_command',
    'npm_execpath',
    'npm_lifecycle_*',
    'npm_node_execpath',
    'npm_package_*',
    'npm_config_local_prefix',
    'BERRY_BIN_FOLDER',
    'PNPM_SCRIPT_SRC_DIR',
    'MAKEFLAGS',
    'MAKELEVEL',
    'MFLAGS',
    'JEST_WORKER_ID',
    'VITEST*',
  ],
  'the process that is the launcher': [
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'NODE_UNIQUE_ID',
    'NOTIFY_SOCKET',
    'LISTEN_FDS',
    'LISTEN_FDNAMES',
    'LISTEN_PID',
    'WATCHDOG_PID',
    'WATCHDOG_USEC',
    'INVOCATION_ID',
    'JOURNAL_STREAM',
    'MAINPID',
    'MANAGERPID',
    'SHLVL',
    '_',
  ],
  'the terminal or editor around it': [
    'TMUX',
    'TMUX_PANE',
    'STY',
    'WINDOW',
    'WINDOWID',
    'TERM_SESSION_ID',
    'ITERM_SESSION_ID',
    'INSIDE_EMACS',
    'NVIM',
    'NVIM_LISTEN_ADDRESS',
    'VSCODE_GIT_*',
    'VSCODE_INJECTION',
    'VSCODE_IPC_*',
    'VSCODE_PID',
  ],
  'a turnout around it': ['TURNOUT_MCP_BRIDGE*', 'TURNOUT_ROOT', 'TURNOUT_TOKEN', 'TURNOUT_AUTH_KEYS'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** All of them in one list. */
export const LOCATION_NAMES: readonly string[] = Object.values(LOCATION).flat();
