/** Which of the two configuration files a command works on. */

import { homedir } from 'node:os';
import * as Flags from '@oclif/core/flags';
import { ownCwd } from '../discovery/places.js';
import { type ConfigFile, type ConfigPlaces, configPaths } from '../registry/config.js';

export const PROJECT_FLAG = {
  project: Flags.boolean({ summary: "the project's file, turnout.config.json in this folder" }),
};

export const configPlaces = (): ConfigPlaces => ({
  env: process.env,
  home: homedir(),
  platform: process.platform,
  cwd: ownCwd(),
});

export function configFile(project: boolean): Pick<ConfigFile, 'path' | 'level'> {
  const [user, own] = configPaths(configPlaces());
  const found = project ? own : user;
  if (!found) throw new Error('there are two configuration files');
  return found;
}
