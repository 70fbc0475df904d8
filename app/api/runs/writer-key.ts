import { writerHeader } from '@/lib/shared/conversation/wire/tab-run'
import { makeError } from '@/lib/i18n/t'
import { writerKeySchema } from './tab-schemas'

/** By which a tab shows that it began the reply. */
export function writerKeyOf(request: Request): string {
  const key = writerKeySchema.safeParse(request.headers.get(writerHeader))
  if (!key.success) throw makeError('forbidden', 'chat.other-tab')
  return key.data
}
