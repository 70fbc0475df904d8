import { config } from 'zod'

// Imported before the client: otherwise zod tries eval once, and the browser reports a violation of the worker's
// policy.
config({ jitless: true })
