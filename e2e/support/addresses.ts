import { basePathOf } from '@/scripts/setup/base-path.mjs'

// Ports in a row: the server under test, the model server, and one for each worker's own servers. The test command finds free
// ones, so that a run never meets another one's servers.
const first = Number(process.env.NOD_E2E_PORT ?? 4310)

/** Where the build stands on its host: `NOD_BASE_PATH=/nod npm test -- e2e …` runs the journeys under a path. */
export const basePath = basePathOf(process.env['NOD_BASE_PATH'] ?? '') ?? ''
export const appUrl = `http://localhost:${first}${basePath}`
/** As a browser says it. */
export const homeUrl = basePath === '' ? `${appUrl}/` : appUrl
export const modelServerUrl = `http://127.0.0.1:${first + 1}`
/** Of this worker alone, for a server that a test starts and kills. */
export const restartPort = first + 2 + Number(process.env.TEST_PARALLEL_INDEX ?? 0)
