/** The environment inside the walls. */

/** Ways to services outside that would do what the walls forbid. */
const WAYS_OUT: readonly string[] = [
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'GPG_AGENT_INFO',
  'SSH_AGENT_PID',
  'SSH_AUTH_SOCK',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
];

/** The only temporary folder inside, and caches of launchers of MCP servers, whose own folders are read-only. */
const SET: Readonly<Record<string, string>> = {
  TMPDIR: '/tmp',
  npm_config_cache: '/tmp/npm-cache',
  UV_CACHE_DIR: '/tmp/uv-cache',
};

/**
 * @param env the environment outside the walls
 * @param explicit names the caller gave: they stay as they are
 */
export function confinedEnv(
  env: Readonly<Record<string, string>>,
  explicit: ReadonlySet<string>,
): Record<string, string> {
  const inside: Record<string, string> = { ...env };
  for (const name of [...WAYS_OUT, 'TMP', 'TEMP']) if (!explicit.has(name)) delete inside[name];
  for (const [name, value] of Object.entries(SET)) if (!explicit.has(name)) inside[name] = value;
  return inside;
}
