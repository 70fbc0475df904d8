import { createLogApi, type LogApi } from '@/lib/client/log-api'

// Loaded with the log view: nothing here belongs to the first load.
export const logApi: LogApi = createLogApi((input, init) => fetch(input, init))
