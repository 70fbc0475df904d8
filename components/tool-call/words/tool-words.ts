export { formatName, problemWords } from '@/lib/protocols/types/call-words'
