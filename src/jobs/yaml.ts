/** The YAML library, in a module of its own so that it is loaded when a file is read. */

export { parse } from 'yaml';
