import { accountRows } from './account-rows'
import type { Setting, ValueOf } from './setting'
import { fairUseSettings } from './fair-use-settings'
import { modelHostRules } from './model-host-rules'
import { vendorSettings } from './vendor-settings'

/**
 * Every variable that whoever runs the server may set, in the order of the docs, whose tables are written from it
 * (`npm run generate -- settings --write`). A new one is a row here; its value is then `serverSettings().NAME`.
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
    meaning: 'the port',
  },
  HOST: {
    kind: 'text',
    default: '127.0.0.1',
    page: 'hosting',
    who: 'open servers',
    meaning: 'the address to listen on; what is not this machine’s own loopback is open to the network',
  },
  NOD_BASE_PATH: {
    kind: 'text',
    page: 'hosting',
    who: 'behind a proxy',
    meaning: 'the path under which it stands on its host, such as `/nod`; put in by the build, so set it there too',
  },
  NOD_ALLOWED_HOSTS: {
    kind: 'list',
    page: 'hosting',
    who: 'behind a proxy',
    meaning: 'names, by commas, that the server answers to besides this machine’s own; `name:port` for one port only',
  },
  NOD_ACCESS_TOKEN: {
    kind: 'secret',
    leastChars: 16,
    page: 'hosting',
    who: 'open servers',
    meaning: '16 characters or more; asked once a browser. Changing it lets nobody in who was in before',
  },
  NOD_TRUST_PROXY: {
    kind: 'proxies',
    default: 0,
    page: 'hosting',
    who: 'behind a proxy',
    meaning:
      'how many proxies stand in front (`1`), or their networks by commas (`loopback`, `10.0.0.0/8`): only what they say of a visitor is believed',
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
    meaning: 'processes that serve, `auto` for one a core; one that dies is replaced',
  },
  NOD_SECRET: {
    kind: 'secret',
    leastChars: 32,
    otherwise: 'made once, in `.data`',
    page: 'hosting',
    who: 'several nodes',
    meaning:
      '32 characters or more; signs cookies and result frames. Needed with `DATABASE_URL`, the same on every node',
  },
  NOD_SECRET_PREVIOUS: {
    kind: 'secrets',
    page: 'hosting',
    who: 'operators',
    meaning:
      'the secrets before, the newest first, by commas: their cookies are taken and signed anew, so that nobody loses a chat',
  },
  NOD_DATA_DIR: {
    kind: 'text',
    default: '.data',
    page: 'hosting',
    who: 'operators',
    meaning: 'where SQLite and the secret live; files are made for this user alone',
  },
  DATABASE_URL: {
    kind: 'url',
    protocols: ['postgres', 'postgresql'],
    secret: true,
    page: 'hosting',
    who: 'several nodes',
    meaning: 'PostgreSQL instead of SQLite; for more than one node',
  },
  NOD_DATABASE_CONNECTIONS: {
    kind: 'number',
    unit: { one: 'connection', other: 'connections' },
    least: 1,
    most: 1000,
    default: 10,
    page: 'hosting',
    who: 'several nodes',
    meaning: 'connections of one node to PostgreSQL',
  },
  NOD_MAX_RUNS: {
    kind: 'number',
    unit: { one: 'reply', other: 'replies' },
    least: 1,
    most: 100_000,
    // What a process carries depends on its core and on the replies: its event loop is measured, and this is only the end.
    default: 400,
    page: 'hosting',
    who: 'many people',
    meaning: 'replies that one node writes at a time; fewer while its event loop is busy. More wait for a place',
  },
  NOD_MAX_RUNS_PER_OWNER: {
    kind: 'number',
    unit: { one: 'reply', other: 'replies' },
    least: 1,
    most: 100_000,
    // One person with a few chats at work, not one who takes the server from all others.
    default: 4,
    page: 'hosting',
    who: 'many people',
    meaning: 'of them for one owner, on all nodes together; more wait',
  },
  NOD_MAX_STREAMS_PER_OWNER: {
    kind: 'number',
    unit: { one: 'view', other: 'views' },
    least: 1,
    most: 100_000,
    default: 16,
    page: 'hosting',
    who: 'many people',
    meaning: 'views of running replies that one owner holds open on one node',
  },
  ...fairUseSettings,
  NOD_RATE_BURST: {
    kind: 'number',
    unit: { one: 'request', other: 'requests' },
    least: 1,
    most: 1_000_000,
    default: 300,
    page: 'hosting',
    who: 'many people',
    meaning: 'requests of one owner at once, on one node',
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
    meaning: 'how fast they grow back',
  },
  NOD_LAB: {
    kind: 'flag',
    default: true,
    page: 'hosting',
    who: 'many people',
    meaning:
      'whether people may measure the models of this server in the lab (`/lab`); its replies count like those of chats',
  },
  NOD_SHARE: {
    kind: 'choice',
    choices: ['on', 'public', 'off'],
    default: 'on',
    page: 'hosting',
    who: 'many people',
    meaning:
      'whether people may share chats by a link, to be read; `public`: also by who has not said the access token and is not signed in',
  },
  NOD_STALL_MS: {
    kind: 'duration',
    least: 1000,
    most: 86_400_000,
    default: 180_000,
    page: 'hosting',
    who: 'operators',
    meaning:
      'longest silence of a model’s server before its reply is given up; a server that shows life but writes no word gets ten times as long',
  },
  NOD_SHUTDOWN_GRACE_MS: {
    kind: 'duration',
    least: 0,
    most: 86_400_000,
    default: 30_000,
    page: 'hosting',
    who: 'operators',
    meaning: 'how long replies may go on after SIGTERM; the rest ends as interrupted, with its text',
  },
  NOD_SHUTDOWN_DELAY_MS: {
    kind: 'duration',
    least: 0,
    most: 300_000,
    // Three looks of Caddy, and of a kubelet with a second to spare.
    default: 3_000,
    page: 'hosting',
    who: 'operators',
    meaning:
      'the first part of it, in which requests are still taken, while `/api/ready` is 503 already; a server for this machine alone does not wait',
  },
  NOD_LOG: {
    kind: 'choice',
    choices: ['text', 'json'],
    default: 'text',
    page: 'hosting',
    who: 'operators',
    meaning: 'the log as lines for a person, or as JSON with a line a request',
  },
  NOD_LOG_LEVEL: {
    kind: 'choice',
    choices: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    page: 'hosting',
    who: 'operators',
    meaning: 'the least that stands in the JSON log; `debug` holds files and probes too',
  },
  NOD_METRICS_TOKEN: {
    kind: 'secret',
    leastChars: 16,
    page: 'hosting',
    who: 'operators',
    meaning:
      '16 characters or more: `/api/metrics` answers to whoever says it (`Authorization: Bearer …`); without it there is none',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: 'url',
    protocols: ['http', 'https'],
    page: 'hosting',
    who: 'operators',
    meaning:
      'where a collector of OpenTelemetry takes traces by HTTP, as `http://collector:4318`; without it there are none',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    kind: 'secret',
    page: 'hosting',
    who: 'operators',
    meaning: 'what the collector asks for, as `name=value` by commas',
  },
  OTEL_SERVICE_NAME: {
    kind: 'text',
    default: 'nod',
    page: 'hosting',
    who: 'operators',
    meaning: 'what traces call this server',
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
    meaning: 'which part of the requests is traced',
  },
  ...accountRows,
  NOD_CONFIG: {
    kind: 'text',
    default: 'nod.config.json',
    page: 'models',
    who: 'anyone',
    meaning: 'path of the configuration file',
  },
  NOD_DEFAULT_MODEL: {
    kind: 'text',
    otherwise: 'the file’s `defaultModel`, else the first real model, else the demo',
    page: 'models',
    who: 'anyone',
    meaning: 'model of new chats, as `provider/name`',
  },
  NOD_CONTEXT_TOKENS: {
    kind: 'number',
    unit: { one: 'token', other: 'tokens' },
    least: 0,
    most: 100_000_000,
    default: 0,
    otherwise: 'not known: `NOD_MAX_PROMPT_TOKENS` bounds them',
    page: 'models',
    who: 'anyone',
    meaning:
      'the window of models that neither the file nor their server says one of: longer chats lose their oldest messages, and say so',
  },
  NOD_MAX_PROMPT_TOKENS: {
    kind: 'number',
    unit: { one: 'token', other: 'tokens' },
    least: 0,
    most: 100_000_000,
    default: 200_000,
    page: 'models',
    who: 'anyone',
    meaning:
      'what a model is sent at most whose window nobody says: longer chats lose their oldest messages, and say so. `0`: the whole chat',
  },
  NOD_OPENAI_COMPATIBLE_URL: {
    kind: 'text',
    page: 'models',
    who: 'anyone',
    meaning: 'address of an OpenAI-compatible server, up to `/v1`; a bare host gets `/v1` added',
  },
  NOD_OPENAI_COMPATIBLE_MODELS: {
    kind: 'list',
    otherwise: 'what the server’s `GET /models` says',
    page: 'models',
    who: 'anyone',
    meaning: 'names, separated by commas',
  },
  NOD_OPENAI_COMPATIBLE_KEY: {
    kind: 'secret',
    page: 'models',
    who: 'anyone',
    meaning: 'sent as `Authorization: Bearer …`',
  },
  NOD_OPENAI_COMPATIBLE_NAME: {
    kind: 'text',
    otherwise: 'its host',
    page: 'models',
    who: 'anyone',
    meaning: 'what the list calls the server',
  },
  NOD_OPENAI_COMPATIBLE_SERVER: {
    kind: 'text',
    otherwise: 'what its list tells',
    page: 'models',
    who: 'anyone',
    meaning:
      'which server it is: `llama.cpp`, `vllm`, `sglang`, `lm-studio`, `ollama` or `other`; it says how replies are held to the form of a call (in the file: `"server"`)',
  },
  NOD_OPENAI_COMPATIBLE_VISION_MODELS: {
    kind: 'list',
    page: 'models',
    who: 'anyone',
    meaning: 'those of the named models that can see: attached pictures go to them (in the file: `"vision": true`)',
  },
  ...vendorSettings,
  OLLAMA_HOST: {
    kind: 'text',
    otherwise: '`127.0.0.1:11434`',
    page: 'models',
    who: 'anyone',
    meaning: 'where Ollama listens',
  },
  NOD_OLLAMA: {
    kind: 'flag',
    default: true,
    page: 'models',
    who: 'anyone',
    meaning: '`off`: don’t look for Ollama',
  },
  NOD_MODEL_HOSTS: {
    kind: 'hosts',
    ...modelHostRules.NOD_MODEL_HOSTS,
    page: 'models',
    who: 'operators',
    meaning:
      'hosts, by commas, from which a browser may fetch the weights of a model that [it runs itself](#models-in-the-browser-llamacpp); `none`: files of one’s own disk alone',
  },
  NOD_BROWSER_MODELS: {
    kind: 'hosts',
    ...modelHostRules.NOD_BROWSER_MODELS,
    page: 'models',
    who: 'operators',
    meaning:
      'hosts that [models of the browser](#models-of-the-browser) may be asked at, from people’s own browsers: `any` (https anywhere, http on the person’s own machine), `off`, or hosts by commas (`api.example.com, http://10.0.0.5:11434`)',
  },
  NOD_OFFLINE: {
    kind: 'flag',
    default: true,
    page: 'hosting',
    who: 'operators',
    meaning:
      '`off`: browsers keep nothing of Nod to work without the server; what they kept is taken away at their next visit',
  },
  NOD_DEMO_DELAY_MS: {
    kind: 'duration',
    least: 0,
    most: 60_000,
    default: 25,
    page: 'models',
    who: 'operators',
    meaning: 'time between two pieces of the demo’s text',
  },
} as const satisfies Readonly<Record<string, Setting>>

type SettingsTable = typeof settingsTable
export type SettingName = keyof SettingsTable

/** What the variables are read as: `settings.NOD_MAX_RUNS` is a number. */
export type Settings = { readonly [N in SettingName]: ValueOf<SettingsTable[N]> }

/** Variables of the repository's own commands and tests, which the server leaves alone. */
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
  // What the processes of one server are told by their supervisor.
  'NOD_WORKER_ID',
  'NOD_WORKER_REPLACES',
]
