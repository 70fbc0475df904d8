import type { Server } from '@/lib/server/wiring/server-parts'
import { makeError } from '@/lib/i18n/t'
import { ndjsonHeaders as headers, ndjsonOf } from '../../ndjson'
import { withOwner, endWithSession } from '../../with-owner'
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

const trialSchema: z.ZodType<TrialRequest> = z.object({
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

export const dynamic = 'force-dynamic'

const MAX_BYTES = 2 * 1024 * 1024
const KEEP_ALIVE_MS = 10_000

/** One reply for the lab, streamed. It belongs to no chat, and ends when the reader disconnects. */
export const POST = withOwner({ body: trialSchema, maxBytes: MAX_BYTES, allow: labIsOn }, async (asked) => {
  const { owner, service, visitor, request, body } = asked
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (request.signal.aborted) leave()
  const lines = await service.trial(owner, body, gone.signal, visitor)
  request.signal.addEventListener('abort', leave, { once: true })
  const close = endWithSession(asked, gone)
  const onClose = () => {
    request.signal.removeEventListener('abort', leave)
    close()
  }
  return new Response(ndjsonOf(lines, { gone, keepAliveMs: KEEP_ALIVE_MS, onClose }), { headers })
})

function labIsOn({ server }: { readonly server: Server }): void {
  if (server.lab === false) throw makeError('forbidden', 'chat.lab.off')
}
