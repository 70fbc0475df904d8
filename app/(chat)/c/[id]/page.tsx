import { withBase } from '@/lib/base/base-path'
import { preload } from 'react-dom'
import { viewAddress } from '@/lib/client/api/address'

/**
 * One conversation; see the layout. The browser requests its messages in parallel with the scripts, and the client's
 * own request later uses that response.
 */
export default async function ConversationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  preload(withBase(viewAddress(id)), { as: 'fetch', crossOrigin: 'anonymous' })
  return null
}
