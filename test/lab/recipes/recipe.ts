/**
 * How each real program is pointed at the scripted model: a model name, variables, and files in a scratch home.
 * Configuration goes into files where the program allows it, because a runner may need the variables for itself.
 */
export interface Point {
  /** `http://127.0.0.1:PORT` */
  url: string;
  home: string;
}

export interface Setup {
  env: Record<string, string>;
  /** Path below the scratch home → content. */
  files: Record<string, string>;
}

export interface Recipe {
  runtime: string;
  /** How it is called in reports, where one program is run in two ways. */
  label?: string;
  /** The id in the table of programs where it is another one. */
  program?: string;
  /** The runtime is `acp:<the program's command line>`. */
  asCommand?: true;
  /** Part of the package: nothing to install. */
  builtin?: true;
  /** The value for `--model`; null where the program takes its model from its settings alone. */
  model: string | null;
  /** One with room for a megabyte of arguments, where the program counts them and gives up or summarizes. */
  roomyModel?: string;
  /** The model name that arrives at the server. */
  modelAtServer: string;
  setup(point: Point): Setup;
  /** A model of the vendor's, where the one above is itself part of the login: only then it is the login that lacks. */
  vendorModel?: string;
  /** The same without any login or key, as a new user has it. */
  noLogin(point: Point): Setup;
  /** A key of another vendor, which must not reach this program. Absent where any vendor's key is its own. */
  foreignKey?: string;
  /** Why it tries again in silence and for longer than anyone waits: then `--timeout` must end it. */
  silentRetries?: string;
  /** Checks this program can not pass, as `scenario.check`, each with the documented reason. */
  limits: Record<string, string>;
}

const argument = 'it takes its prompt only as an argument, which may have 120 KiB; a longer one is refused';

/** Of a program that has no other way for its prompt: `agent scan` says so as `prompt_in_argv`. */
export const promptInArgument: Record<string, string> = {
  'big-prompt.exit': argument,
  'big-prompt.text': argument,
  'big-prompt.exact': argument,
};

const servers = 'it takes MCP servers from its own configuration alone; the flag is refused';

/** Of a program that can not be given MCP servers for one turn. */
export const noServers: Record<string, string> = {
  'mcp-config.refused': servers,
  'mcp-everything.refused': servers,
  'mcp-required.refused': servers,
};

/** Of a program that says nothing of its servers before its model begins. */
export const untoldServers: Record<string, string> = {
  'mcp-required.refused': 'it does not tell whether its MCP servers are ready; the flag is refused',
};

/** `CLAUDE_CLI_BIN` for `claude`: how a caller names the binary to use. */
export function binVariable(runtime: string): string {
  return `${runtime.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_CLI_BIN`;
}

/** The name under which a recipe is run and reported. */
export function nameOf(recipe: Recipe): string {
  return recipe.label ?? programOf(recipe);
}

/** The name under which its program is installed. */
export function programOf(recipe: Recipe): string {
  return recipe.program ?? recipe.runtime;
}
