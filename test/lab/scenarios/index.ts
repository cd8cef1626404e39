import { acpScenarios } from './acp.js';
import { approvalScenarios } from './approvals.js';
import { brokerScenarios } from './broker.js';
import { callerToolScenarios } from './caller-tools.js';
import { commandScenarios } from './commands.js';
import { endingScenarios } from './endings.js';
import { errorScenarios } from './errors.js';
import { foreignEndScenarios } from './foreign-ends.js';
import { inputScenarios } from './input.js';
import { jobScenarios } from './jobs.js';
import { locatedScenarios } from './located.js';
import { longAnswerScenarios } from './long-answers.js';
import { mcpScenarios } from './mcp.js';
import { mcpServerScenarios } from './mcp-servers.js';
import { noToolScenarios } from './no-tools.js';
import { optionScenarios } from './options.js';
import type { Scenario } from './scenario.js';
import { serverScenarios } from './server.js';
import { shellScenarios } from './shell.js';
import { steeringScenarios } from './steering.js';
import { textScenarios } from './text.js';
import { truthScenarios } from './truth.js';
import { wallScenarios } from './walls.js';
import { warmScenarios } from './warm.js';

/** In the order of the compatibility table. */
export const scenarios: readonly Scenario[] = [
  ...textScenarios,
  ...inputScenarios,
  ...shellScenarios,
  ...locatedScenarios,
  ...steeringScenarios,
  ...noToolScenarios,
  ...truthScenarios,
  ...wallScenarios,
  ...brokerScenarios,
  ...callerToolScenarios,
  ...longAnswerScenarios,
  ...mcpServerScenarios,
  ...approvalScenarios,
  ...optionScenarios,
  ...endingScenarios,
  ...foreignEndScenarios,
  ...errorScenarios,
  ...commandScenarios,
  ...serverScenarios,
  ...warmScenarios,
  ...jobScenarios,
  ...mcpScenarios,
  ...acpScenarios,
];
