import { NoSharedChat } from '@/components/out/no-shared-chat'

export default function SharedNotFound() {
  return <NoSharedChat />
}
