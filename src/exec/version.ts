import pkg from '../../package.json' with { type: 'json' };

/** Our own version. */
export const VERSION: string = pkg.version;
