import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Not found · Nod' }

export default function NotFound() {
  return (
    <main className="thread">
      <div className="empty">
        <h1>There is no such page</h1>
        <p>
          <a href="/">Go to your chats</a>
        </p>
      </div>
    </main>
  )
}
