import { withBase } from '@/lib/base/base-path'
import { preload } from 'react-dom'

/**
 * One conversation; see the layout. The browser asks for its messages along with the scripts, not after them: the client's
 * own request, later, takes that answer.
 */
export default async function ConversationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  preload(withBase(`/api/conversations/${encodeURIComponent(id)}`), { as: 'fetch', crossOrigin: 'anonymous' })
  return null
}
