/** A new chat; see the layout. */
export default function NewChatPage() {
  return null
}
