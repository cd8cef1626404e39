/** What programs print on stderr when they wait for a person to log in. Without an answer in sight they would wait without end. */

const WAITS: readonly RegExp[] = [
  /\bpress (?:enter|return|any key) to (?:log|sign) ?in\b/i,
  /\bwaiting for (?:you to )?(?:authenticat|authoriz|log ?in|sign[- ]?in)/i,
  /\b(?:open|visit|go to|navigate to)\b.{0,200}\bto (?:log ?in|sign in|authenticate|authorize)\b/i,
  /\bopening\b.{0,60}\bbrowser\b.{0,60}\b(?:log ?in|sign ?in|authenticat)/i,
  /\b(?:enter|paste) (?:the|your|this) (?:authorization|authentication|verification|device|one-time) code\b/i,
];

/** Only to be asked of a runtime that has said nothing yet: later a command of the agent's may print such words. */
export function asksForLogin(line: string): boolean {
  return line.length <= 2000 && WAITS.some((pattern) => pattern.test(line));
}
