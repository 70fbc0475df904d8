import { z } from 'zod'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { strategySchema } from '@/lib/shared/conversation/settings/settings'
import { restoreSchema } from '@/lib/shared/conversation/settings/bounded-schema'
import type { TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { json } from '../../schemas'

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must be 1 to 64 letters, digits, - and _')
const text = z.string().max(500_000)

const tool = z.object({
  name,
  description: z.string().max(20_000),
  parameters: z.custom<JsonObject>(isJsonObject, 'must be a JSON Schema of type object').superRefine((schema, ctx) => {
    const problem = restoreSchema(schema)
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
  }),
})

const turn = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['user', 'assistant']), text }),
  z.object({
    role: z.literal('results'),
    results: z.array(z.object({ slot: z.int().min(0).max(1_000), name, result: json })).max(100),
  }),
])

export const trialSchema: z.ZodType<TrialRequest> = z.object({
  model: z.string().min(1).max(300),
  strategy: strategySchema,
  systemPrompt: z.string().max(100_000),
  tools: z
    .array(tool)
    .max(300)
    .refine((tools) => new Set(tools.map((one) => one.name)).size === tools.length, 'name a tool twice'),
  turns: z
    .array(turn)
    .min(1)
    .max(60)
    .refine((turns) => turns.at(-1)?.role !== 'assistant', 'must not end with the model'),
  temperature: z.number().min(0).max(2).exactOptional(),
  exact: z.literal(true).exactOptional(),
  reading: z.literal('whole').exactOptional(),
})
