import { claudeAgentAcp, codexAcp } from './adapters.js';
import { aider } from './aider.js';
import { auggie } from './auggie.js';
import { claude } from './claude.js';
import { cline } from './cline.js';
import { codex, codexScripts } from './codex.js';
import { continueRecipe } from './continue.js';
import { copilot } from './copilot.js';
import { droid } from './droid.js';
import { gemini } from './gemini.js';
import { gptme } from './gptme.js';
import { grok } from './grok.js';
import { hermes } from './hermes.js';
import { kilo } from './kilo.js';
import { kimi, kimiOlder } from './kimi.js';
import { letta } from './letta.js';
import { nanocoder } from './nanocoder.js';
import { opencode } from './opencode.js';
import { openhands } from './openhands.js';
import { pi } from './pi.js';
import { qwen } from './qwen.js';
import type { Recipe } from './recipe.js';
import { vibe } from './vibe.js';

/** In the order in which they run; the slowest programs are not all at the end. */
export const recipes: readonly Recipe[] = [
  claude,
  codex,
  codexScripts,
  gemini,
  opencode,
  qwen,
  copilot,
  kilo,
  cline,
  pi,
  droid,
  nanocoder,
  letta,
  continueRecipe,
  auggie,
  grok,
  aider,
  gptme,
  hermes,
  vibe,
  openhands,
  kimi,
  kimiOlder,
  claudeAgentAcp,
  codexAcp,
];
