export { formatName, problemWords } from '@/lib/strategies/call-words'
