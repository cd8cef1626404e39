import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import type { Recipe } from './recipe.js';

export const recipes: readonly Recipe[] = [claude, codex, gemini, opencode];
