/** The caller's tools for one turn: names a transport can take, and a check of arguments against the full schema. */

import type { ErrorObject, ValidateFunction } from 'ajv';
import type { ToolDefinition } from '../contract/tool.js';
import type { JsonObject, NoticeCode } from '../contract/vocabulary.js';
import { str } from '../text/json.js';

export interface Toolbox {
  /** The definitions as runtimes get them: names that every transport takes. */
  offered: readonly ToolDefinition[];
  /** Declared name behind an offered one. */
  declared(name: string): string | undefined;
  names(): string[];
  /** What is wrong with the arguments and how to go on; null when nothing is. */
  violation(declared: string, args: JsonObject): string | null;
}

/** With a server prefix in front, this stays within every vendor's 64 characters. */
const SAFE = /^[A-Za-z][A-Za-z0-9_-]{0,47}$/;

function alias(name: string, taken: ReadonlySet<string>): string {
  if (SAFE.test(name) && !taken.has(name)) return name;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^[^A-Za-z]+/, '');
  const stem = (plain || 'tool').slice(0, 40);
  for (let n = 1; ; n++) {
    const candidate = n === 1 && SAFE.test(stem) && stem !== name ? stem : `${stem}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function explain(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, 5).map((error) => {
    const place = error.instancePath === '' ? 'arguments' : `arguments${error.instancePath}`;
    const extra = error.params['additionalProperty'] ?? error.params['allowedValues'];
    return `${place} ${error.message ?? error.keyword}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
  });
  const more = errors.length > 5 ? ` and ${errors.length - 5} more` : '';
  return shown.join('; ') + more;
}

/**
 * @param definitions as declared; names are unique
 * @param options.anyName names are offered as they are, whatever their characters
 * @param notice told about a schema that does not compile: its arguments are passed on unchecked
 */
export async function toolbox(
  definitions: readonly ToolDefinition[],
  notice: (code: NoticeCode, message: string) => void,
  options: { anyName?: boolean } = {},
): Promise<Toolbox> {
  const [{ Ajv2020 }, { Ajv }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv')]);
  const ajvOptions = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
  } as const;
  const modern = new Ajv2020(ajvOptions);
  const old = new Ajv(ajvOptions);
  const byDeclared = new Map(definitions.map((tool) => [tool.name, tool]));
  const declaredBy = new Map<string, string>();
  const taken = new Set<string>();
  // Names that need no alias keep theirs, whatever order they came in.
  for (const { name } of definitions) if (SAFE.test(name)) taken.add(name);
  const offered = definitions.map((tool): ToolDefinition => {
    const name = options.anyName || SAFE.test(tool.name) ? tool.name : alias(tool.name, taken);
    taken.add(name);
    declaredBy.set(name, tool.name);
    return { name, description: tool.description, schema: { type: 'object', ...tool.schema } };
  });
  const compiled = new Map<string, ValidateFunction | null>();
  const compile = (tool: ToolDefinition): ValidateFunction | null => {
    const known = compiled.get(tool.name);
    if (known !== undefined) return known;
    let check: ValidateFunction | null = null;
    try {
      const draft7 = str(tool.schema, '$schema')?.includes('draft-0') ?? false;
      const { $schema: _, $id: __, ...schema } = tool.schema;
      check = (draft7 ? old : modern).compile({ type: 'object', ...schema });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      notice(
        'schema-unchecked',
        `the schema of tool ${tool.name} does not compile, its arguments are not checked: ${why}`,
      );
    }
    compiled.set(tool.name, check);
    return check;
  };
  return {
    offered,
    declared: (name) => declaredBy.get(name),
    names: () => [...declaredBy.keys()],
    violation(declared, args) {
      const tool = byDeclared.get(declared);
      const check = tool ? compile(tool) : null;
      if (!check || check(args)) return null;
      return `invalid arguments for ${declared}: ${explain(check.errors ?? [])}. Fix the arguments and call ${declared} again.`;
    },
  };
}
