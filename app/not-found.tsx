import type { Metadata } from 'next'
import Link from 'next/link'

export const metadata: Metadata = { title: 'Not found · Nod' }

export default function NotFound() {
  return (
    <main className="thread">
      <div className="empty">
        <h1>There is no such page</h1>
        <p>
          <Link href="/">Go to your chats</Link>
        </p>
      </div>
    </main>
  )
}
