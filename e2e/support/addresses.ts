// Three ports in a row. The test command finds free ones, so that a run never meets another one's servers.
const first = Number(process.env.NOD_E2E_PORT ?? 4310)

export const appUrl = `http://localhost:${first}`
export const modelServerUrl = `http://127.0.0.1:${first + 1}`
export const restartPort = first + 2
