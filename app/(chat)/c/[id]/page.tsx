import { withBase } from '@/lib/base/base-path'
import { preload } from 'react-dom'
import { viewAddress } from '@/lib/client/api/address'

/**
 * One conversation; see the layout. The browser asks for its messages along with the scripts, not after them: the client's
 * own request, later, takes that answer.
 */
export default async function ConversationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  preload(withBase(viewAddress(id)), { as: 'fetch', crossOrigin: 'anonymous' })
  return null
}
