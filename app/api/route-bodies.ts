import type { z } from 'zod'

/** The body schema of each route handler, for the API reference (`scripts/generate/http-api.ts`). */
export const routeBodies = new WeakMap<object, z.ZodType>()
