/** The one import whose name is only known when we run: a runner of the user's own (`--runner FILE`). */

/** @param url of a module; whatever it throws while it loads is thrown here */
export const loadModule = (url: string): Promise<unknown> => import(url);
