/** The turn: conversations in, events out. `src/exec` runs one on this machine. */

export { admit, type Admitted, type NotAdmitted } from './admission.js';
export { type ReadFrame, readFrame } from './frames.js';
export { runTurn, type Turn, type TurnInput, type TurnLimits, type TurnTools } from './loop.js';
export { refusedEvents } from './refusal.js';
export type { Child, ChildEars, Tap, TapEntry, World } from './world.js';
