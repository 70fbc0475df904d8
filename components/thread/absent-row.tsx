import type { Message } from '@/lib/shared/conversation/conversation'
import { message as messageLook } from '@/components/ui/recipes/message'

const line = 'h-3 rounded-sm bg-hover'

/** The place of a message that is not here yet, about as high as one; `OlderNote` says what becomes of it. */
export function AbsentRow({ role }: { role: Message['role'] }) {
  return role === 'user' ? (
    <div className={messageLook({ by: 'you' }, 'h-14')} aria-hidden="true" data-absent="">
      <div className="ms-auto h-9 w-2/5 rounded-lg bg-hover" />
    </div>
  ) : (
    <div className={messageLook({}, 'grid h-95 content-start gap-3')} aria-hidden="true" data-absent="">
      <div className={line} />
      <div className={`${line} w-11/12`} />
      <div className={`${line} w-2/3`} />
    </div>
  )
}
