// Started by Playwright beside the app: an OpenAI-compatible server that replays recorded replies.
import { modelServerUrl } from './addresses'
import { startModelServer } from './model-server'

const server = await startModelServer({ port: Number(new URL(modelServerUrl).port) })
console.log(`replaying models at ${server.url}`)
