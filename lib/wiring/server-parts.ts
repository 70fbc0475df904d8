import type { RateLimit } from '@/lib/chat/owner-rate'
import type { ChatService } from '@/lib/chat/chat-service'
import type { Owners } from '@/lib/chat/owner'
import type { Accounts } from '@/lib/accounts/accounts'
import type { Store } from '@/lib/store/store'

/** What the routes need of this process. */
export interface Server {
  readonly service: ChatService
  readonly store: Store
  readonly owners: Owners
  readonly rateLimit: RateLimit
  /** Notes for the log who asks. */
  readonly noteOwner?: (owner: string) => void
  /** Left out or null: everybody is a browser. */
  readonly accounts?: Accounts | null
  /** What a page of an account knows its owner by. */
  readonly mark?: (owner: string) => string
  /** Who can come in, in lines for whoever starts it; left out or empty: this machine alone. */
  readonly openness?: readonly string[]
  /** For Prometheus, of all processes of this server; left out where nobody asked for them. */
  readonly metrics?: () => Promise<{ readonly type: string; readonly text: string }>
  /** Left out: a few megabytes. */
  readonly maxImportBytes?: number
}
