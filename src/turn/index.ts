/** The turn: conversations in, events out. `src/exec` runs one on this machine. */

export { type Admitted, admit, type NotAdmitted } from './admission.js';
export { type ReadFrame, readFrame } from './frames.js';
export { runTurn, type Turn, type TurnInput, type TurnLimits } from './loop.js';
export { refusedEvents } from './refusal.js';
export { type Answering, answering } from './structured.js';
export type { TurnTools } from './turn-tools.js';
export type { Child, ChildEars, Tap, TapEntry, World } from './world.js';
