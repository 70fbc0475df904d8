import { modelServerUrl } from './addresses'

/**
 * The environment of the server under test: its own data, the replaying model server, a fast demo, nothing of this
 * machine.
 */
export const serverEnv = (dataDir: string): Record<string, string> => ({
  NOD_DATA_DIR: dataDir,
  NOD_SECRET: 'a secret for tests only, thirty-two or more',
  NOD_OLLAMA: 'off',
  NOD_OPENAI_COMPATIBLE_URL: `${modelServerUrl}/v1`,
  NOD_OPENAI_COMPATIBLE_MODELS: 'replay',
  NOD_OPENAI_COMPATIBLE_VISION_MODELS: 'replay',
  NOD_OPENAI_COMPATIBLE_NAME: 'Replay',
  NOD_DEFAULT_MODEL: 'demo/demo',
  NOD_DEMO_DELAY_MS: '4',
  NOD_MODEL_HOSTS: '127.0.0.1:*',
  NOD_STALL_MS: '4000',
  DATABASE_URL: '',
  OPENAI_API_KEY: '',
  ANTHROPIC_API_KEY: '',
  GOOGLE_GENERATIVE_AI_API_KEY: '',
})
