import type { Setting, ValueOf } from './setting'
import { vendorSettings } from './vendor-settings'

/**
 * Every variable that whoever runs the server may set, in the order of the docs, whose tables are written from it
 * (`npm run settings -- --write`). A new one is a row here; its value is then `serverSettings().NAME`.
 */
export const settingsTable = {
  PORT: {
    kind: 'number',
    unit: 'port',
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
    kind: 'flag',
    default: false,
    page: 'hosting',
    who: 'behind a proxy',
    meaning: '`1`: the last entry of `X-Forwarded-For` is the visitor’s address',
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
    unit: 'connections',
    least: 1,
    most: 1000,
    default: 10,
    page: 'hosting',
    who: 'several nodes',
    meaning: 'connections of one node to PostgreSQL',
  },
  NOD_MAX_RUNS: {
    kind: 'number',
    unit: 'replies',
    least: 1,
    most: 100_000,
    // One process carries about 100 streams of 20 tokens a second; beyond that everything queues.
    default: 100,
    page: 'hosting',
    who: 'many people',
    meaning: 'replies that one node writes at a time',
  },
  NOD_MAX_RUNS_PER_OWNER: {
    kind: 'number',
    unit: 'replies',
    least: 1,
    most: 100_000,
    // One person with a few chats at work, not one who takes the server from all others.
    default: 4,
    page: 'hosting',
    who: 'many people',
    meaning: 'of them for one owner',
  },
  NOD_MAX_STREAMS_PER_OWNER: {
    kind: 'number',
    unit: 'views',
    least: 1,
    most: 100_000,
    default: 16,
    page: 'hosting',
    who: 'many people',
    meaning: 'views of running replies that one owner holds open on one node',
  },
  NOD_RATE_BURST: {
    kind: 'number',
    unit: 'requests',
    least: 1,
    most: 1_000_000,
    default: 300,
    page: 'hosting',
    who: 'many people',
    meaning: 'requests of one owner at once, on one node',
  },
  NOD_RATE_PER_SECOND: {
    kind: 'number',
    unit: 'requests a second',
    least: 0.01,
    most: 1_000_000,
    default: 30,
    fraction: true,
    page: 'hosting',
    who: 'many people',
    meaning: 'how fast they grow back',
  },
  NOD_STALL_MS: {
    kind: 'duration',
    least: 1000,
    most: 86_400_000,
    default: 180_000,
    page: 'hosting',
    who: 'operators',
    meaning: 'longest silence of a model before its reply is given up',
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
  'NOD_BUILD',
  'NOD_E2E_PORT',
  'NOD_E2E_WORKERS',
  'NOD_FAULT_ROUNDS',
  'NOD_FAULT_SEED',
  'NOD_KILLS',
  'NOD_PICTURES',
  'NOD_RACES',
  'NOD_TEST_STORE',
  'NOD_UNIT_WORKERS',
]
