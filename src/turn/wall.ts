/** The walls around the processes of one turn, ready to be built. */

import type { Walls } from '../process/confine/walls.js';

export interface TurnWall {
  /** Path of bubblewrap. */
  bwrap: string;
  /** All that is known before the program starts. */
  walls: Omit<Walls, 'start' | 'turn'>;
  /** Whether the program replaces its files in the turn's own folder. */
  writesTurnFolder: boolean;
  /** Brings new logins back. @returns why some were not */
  settle(): Promise<string[]>;
  close(): void;
}
