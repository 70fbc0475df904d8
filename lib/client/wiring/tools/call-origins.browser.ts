import { builtFile } from '@/lib/base/base-path'
import { createCallOrigins, type OriginWorkerPort } from '@/lib/client/calls/call-origins'

// Loaded by `import()` with the first reply that contains calls.

export const callOrigins = createCallOrigins(
  () => new Worker(builtFile('/workers/origin.js'), { type: 'module' }) as OriginWorkerPort,
  () => new Promise((resolve) => setTimeout(resolve)),
)
