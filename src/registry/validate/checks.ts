/** Small checks that are put together into the shape of a value that somebody else wrote. */

export type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

export const text: Check = (value) => typeof value === 'string' && value !== '';
export const flag: Check = (value) => typeof value === 'boolean';
export const call: Check = (value) => typeof value === 'function';
export const pattern: Check = (value) => value instanceof RegExp && !value.global && !value.sticky;
export const record = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const list =
  (fits: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(fits);
export const texts = list((value) => typeof value === 'string');
export const word =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
export const optional =
  (fits: Check): Check =>
  (value) =>
    value === undefined || fits(value);
export const shape =
  (fields: Fields): Check =>
  (value) =>
    record(value) && Object.entries(fields).every(([name, fits]) => fits(Reflect.get(value, name)));
export const byName =
  (names: readonly string[], fits: Check): Check =>
  (value) =>
    record(value) &&
    Object.entries(value).every(([name, one]) => names.includes(name) && (one === undefined || fits(one)));

/** Text that may be empty. */
export const words: Check = (value) => typeof value === 'string';
export const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const orNull =
  (fits: Check): Check =>
  (value) =>
    value === null || fits(value);
