import { basePathOf } from '@/scripts/setup/base-path.mjs'

// Consecutive ports: the server under test, the model server, and one for each worker's own servers. The test command
// finds free ones, so that a run never reaches another run's servers.
const first = Number(process.env.NOD_E2E_PORT ?? 4310)

/** The path of the build on its host: `NOD_BASE_PATH=/nod npm test -- e2e …` runs the journeys under a path. */
export const basePath = basePathOf(process.env['NOD_BASE_PATH'] ?? '') ?? ''
export const appUrl = `http://localhost:${first}${basePath}`
/** As a browser shows it. */
export const homeUrl = basePath === '' ? `${appUrl}/` : appUrl
export const modelServerUrl = `http://127.0.0.1:${first + 1}`
const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0)
/** For this worker only, for a server that a test starts and kills. */
export const restartPort = first + 2 + worker
/** Added to where a worker looks for free ports: two that look at once would find the same ones. */
export const workerPorts = worker * 20
