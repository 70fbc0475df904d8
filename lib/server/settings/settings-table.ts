import type { Setting, ValueOf } from './setting'
import { modelSettings } from './model-settings'
import { accountRows, quotaSettings } from './quota-settings'
import { modelHostRules } from './read-hosts'

/**
 * All variables that an operator can set, in the order of the docs, whose tables are generated from it (`npm run
 * generate -- settings --write`). To add one, add a row here; its value is then `serverSettings().NAME`.
 */
export const settingsTable = {
  PORT: {
    kind: 'number',
    unit: { other: 'port' },
    least: 1,
    most: 65_535,
    default: 3000,
    page: 'hosting',
    who: 'anyone',
    meaning: 'The port to listen on.',
  },
  HOST: {
    kind: 'text',
    default: '127.0.0.1',
    page: 'hosting',
    who: 'open servers',
    meaning: 'The address to listen on. Any address other than loopback opens the server to the network.',
  },
  NOD_BASE_PATH: {
    kind: 'text',
    page: 'hosting',
    who: 'behind a proxy',
    meaning: 'The path under which Nod is served, such as `/nod`. The build contains it, so set it for the build too.',
  },
  NOD_ALLOWED_HOSTS: {
    kind: 'list',
    page: 'hosting',
    who: 'behind a proxy',
    meaning:
      'Host names that the server accepts besides `localhost`, separated by commas. `name:port` accepts one port only.',
  },
  NOD_ACCESS_TOKEN: {
    kind: 'secret',
    minChars: 16,
    page: 'hosting',
    who: 'open servers',
    meaning:
      'At least 16 characters. Each browser asks for it once. Changing it locks out everyone who entered the old one.',
  },
  NOD_TRUST_PROXY: {
    kind: 'proxies',
    default: 0,
    page: 'hosting',
    who: 'behind a proxy',
    meaning:
      'The number of proxies in front (`1`) or their networks (`loopback`, `10.0.0.0/8`). Only their forwarded headers are trusted.',
  },
  NOD_WORKERS: {
    kind: 'number',
    unit: { one: 'process', other: 'processes' },
    least: 1,
    most: 256,
    default: 1,
    auto: true,
    page: 'hosting',
    who: 'many people',
    meaning: 'Server processes; `auto` starts one per core. A process that dies is replaced.',
  },
  NOD_SECRET: {
    kind: 'secret',
    minChars: 32,
    otherwise: 'generated once, in `.data`',
    page: 'hosting',
    who: 'several nodes',
    meaning:
      'At least 32 characters. Signs cookies and result frames. Required with `DATABASE_URL`; use the same value on every node.',
  },
  NOD_SECRET_PREVIOUS: {
    kind: 'secrets',
    page: 'hosting',
    who: 'operators',
    meaning: 'Earlier secrets, newest first. Cookies signed by them stay valid and are signed again.',
  },
  NOD_DATA_DIR: {
    kind: 'text',
    default: '.data',
    page: 'hosting',
    who: 'operators',
    meaning: 'The folder for SQLite and the generated secret. Only the server’s user can read its files.',
  },
  DATABASE_URL: {
    kind: 'url',
    protocols: ['postgres', 'postgresql'],
    secret: true,
    page: 'hosting',
    who: 'several nodes',
    meaning: 'Use PostgreSQL instead of SQLite. Required for more than one node.',
  },
  NOD_DATABASE_CONNECTIONS: {
    kind: 'number',
    unit: { one: 'connection', other: 'connections' },
    least: 1,
    most: 1000,
    default: 10,
    page: 'hosting',
    who: 'several nodes',
    meaning: 'PostgreSQL connections per process.',
  },
  NOD_MAX_RUNS: {
    kind: 'number',
    unit: { one: 'reply', other: 'replies' },
    least: 1,
    most: 100_000,
    // The capacity of a process depends on its core and on the replies: the load of its event loop is measured, and
    // this is only an upper bound.
    default: 400,
    page: 'hosting',
    who: 'many people',
    meaning: 'Replies that one process generates at a time. A busy process starts fewer; the rest wait in a queue.',
  },
  NOD_MAX_RUNS_PER_OWNER: {
    kind: 'number',
    unit: { one: 'reply', other: 'replies' },
    least: 1,
    most: 100_000,
    // Enough for a person with a few active chats, but not to block the server for all others.
    default: 4,
    page: 'hosting',
    who: 'many people',
    meaning: 'Replies that one owner generates at a time, on all nodes together.',
  },
  NOD_MAX_STREAMS_PER_OWNER: {
    kind: 'number',
    unit: { one: 'view', other: 'views' },
    least: 1,
    most: 100_000,
    default: 16,
    page: 'hosting',
    who: 'many people',
    meaning: 'Open event streams of one owner, per process.',
  },
  ...quotaSettings,
  NOD_RATE_BURST: {
    kind: 'number',
    unit: { one: 'request', other: 'requests' },
    least: 1,
    most: 1_000_000,
    default: 300,
    page: 'hosting',
    who: 'many people',
    meaning: 'Requests that one owner can send at once, per process.',
  },
  NOD_RATE_PER_SECOND: {
    kind: 'number',
    unit: { one: 'request a second', other: 'requests a second' },
    least: 0.01,
    most: 1_000_000,
    default: 30,
    decimals: true,
    page: 'hosting',
    who: 'many people',
    meaning: 'How many requests per second are added back after a burst.',
  },
  NOD_LAB: {
    kind: 'flag',
    default: true,
    page: 'hosting',
    who: 'many people',
    meaning:
      'Allow people to test this server’s models in the lab (`/lab`). Lab replies count toward the same limits as chat replies.',
  },
  NOD_SHARE: {
    kind: 'choice',
    choices: ['on', 'public', 'off'],
    default: 'on',
    page: 'hosting',
    who: 'many people',
    meaning: 'Allow people to share chats by link. `public`: readers need no access token and no account.',
  },
  NOD_STALL_MS: {
    kind: 'duration',
    least: 1000,
    most: 86_400_000,
    default: 180_000,
    page: 'hosting',
    who: 'operators',
    meaning:
      'How long a model server may send nothing before its reply fails. A server that sends bytes but no text gets ten times as long.',
  },
  NOD_SHUTDOWN_GRACE_MS: {
    kind: 'duration',
    least: 0,
    most: 86_400_000,
    default: 30_000,
    page: 'hosting',
    who: 'operators',
    meaning:
      'How long running replies may continue after SIGTERM. Replies that are still running then end as interrupted.',
  },
  NOD_SHUTDOWN_DELAY_MS: {
    kind: 'duration',
    least: 0,
    most: 300_000,
    // Three health checks of Caddy, and of a kubelet with a second to spare.
    default: 3_000,
    page: 'hosting',
    who: 'operators',
    meaning:
      'How long the server still accepts requests after SIGTERM while `/api/ready` answers 503. Zero for a server that listens on loopback only.',
  },
  NOD_LOG: {
    kind: 'choice',
    choices: ['text', 'json'],
    default: 'text',
    page: 'hosting',
    who: 'operators',
    meaning: '`text`: lines to read. `json`: one JSON line per event and request.',
  },
  NOD_LOG_LEVEL: {
    kind: 'choice',
    choices: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    page: 'hosting',
    who: 'operators',
    meaning: 'The lowest level in the JSON log. `debug` includes files and probes.',
  },
  NOD_METRICS_TOKEN: {
    kind: 'secret',
    minChars: 16,
    page: 'hosting',
    who: 'operators',
    meaning:
      'At least 16 characters. `/api/metrics` requires it as `Authorization: Bearer …`; without it the route does not exist.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: 'url',
    protocols: ['http', 'https'],
    page: 'hosting',
    who: 'operators',
    meaning:
      'The OpenTelemetry collector for traces over HTTP, such as `http://collector:4318`. Without it there are no traces.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    kind: 'secret',
    page: 'hosting',
    who: 'operators',
    meaning: 'Headers for the collector, as `name=value` separated by commas.',
  },
  OTEL_SERVICE_NAME: {
    kind: 'text',
    default: 'nod',
    page: 'hosting',
    who: 'operators',
    meaning: 'The service name in traces.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    kind: 'number',
    unit: { other: 'part of all requests' },
    least: 0,
    most: 1,
    default: 1,
    decimals: true,
    percentage: true,
    page: 'hosting',
    who: 'operators',
    meaning: 'The share of requests that is traced, from 0 to 1.',
  },
  ...accountRows,
  ...modelSettings,
  NOD_MODEL_HOSTS: {
    kind: 'hosts',
    ...modelHostRules.NOD_MODEL_HOSTS,
    page: 'models',
    who: 'operators',
    meaning:
      'Hosts from which browsers may download weights for [models in the page](../using/browser-models.md#a-model-in-the-page-llamacpp). `none`: only files from disk.',
  },
  NOD_BROWSER_MODELS: {
    kind: 'hosts',
    ...modelHostRules.NOD_BROWSER_MODELS,
    page: 'models',
    who: 'operators',
    meaning:
      'Hosts that [browser models](../using/browser-models.md) may use: `any` (https anywhere, http on the same machine), `off`, or a list such as `api.example.com, http://10.0.0.5:11434`.',
  },
  NOD_MCP_HOSTS: {
    kind: 'hosts',
    ...modelHostRules.NOD_MCP_HOSTS,
    page: 'hosting',
    who: 'operators',
    meaning:
      'Hosts of [tool servers](../using/mcp.md) (MCP) that users may add: `any` (https anywhere, http on the same machine), `off`, or a list such as `mcp.example.com, http://10.0.0.5:3001`.',
  },
  NOD_READ_PAGES: {
    kind: 'choice',
    choices: ['off', 'listed', 'public'],
    default: 'off',
    page: 'hosting',
    who: 'operators',
    meaning:
      'Lets models ask for [pages of the web](../using/web.md), which this server then fetches. `listed`: from the hosts of `NOD_READ_HOSTS` only. `public`: from any host with a public address.',
  },
  NOD_READ_HOSTS: {
    kind: 'hosts',
    ...modelHostRules.NOD_READ_HOSTS,
    page: 'hosting',
    who: 'operators',
    meaning:
      'Hosts for `NOD_READ_PAGES`, such as `example.com, *.example.org`. One with a scheme and a port (`http://wiki.corp:8080`) may be in your own network; everyone who may chat can then read it.',
  },
  NOD_SEARCH_URL: {
    kind: 'url',
    protocols: ['http', 'https'],
    page: 'hosting',
    who: 'operators',
    meaning:
      'A search service for models: a SearXNG with `format=json`, or, with `NOD_SEARCH_KEY`, the address of an API like Brave’s.',
  },
  NOD_SEARCH_KEY: {
    kind: 'secret',
    page: 'hosting',
    who: 'operators',
    meaning: 'The key of the search service, sent as `X-Subscription-Token`.',
  },
  NOD_OFFLINE: {
    kind: 'flag',
    default: true,
    page: 'hosting',
    who: 'operators',
    meaning: '`off`: browsers cache nothing for offline use, and existing caches are removed on the next visit.',
  },
  NOD_DEMO_DELAY_MS: {
    kind: 'duration',
    least: 0,
    most: 60_000,
    default: 25,
    page: 'models',
    who: 'operators',
    meaning: 'Time between two chunks of the demo’s text.',
  },
} as const satisfies Readonly<Record<string, Setting>>

type SettingsTable = typeof settingsTable
export type SettingName = keyof SettingsTable

/** The parsed values: `settings.NOD_MAX_RUNS` is a number. */
export type Settings = { readonly [N in SettingName]: ValueOf<SettingsTable[N]> }

/** Variables of the repository's own commands and tests, which the server ignores. */
export const commandVariables: readonly string[] = [
  'NOD_BENCH_ROUNDS',
  'NOD_BENCH_SHAPES',
  'NOD_BROWSER',
  'NOD_BUILD',
  'NOD_BUILD_QUICK',
  'NOD_FILES',
  'NOD_E2E_FROM',
  'NOD_E2E_PORT',
  'NOD_E2E_WORKERS',
  'NOD_FAULT_ROUNDS',
  'NOD_FAULT_SEED',
  'NOD_BENCH_TAKE',
  'NOD_TESTS',
  'NOD_KILLS',
  'NOD_LOOKS',
  'NOD_PICTURES',
  'NOD_RACES',
  'NOD_TEST_STORE',
  'NOD_TRACE',
  'NOD_UNIT_WORKERS',
  // Set by the supervisor for the processes of one server.
  'NOD_WORKER_ID',
  'NOD_WORKER_REPLACES',
]
