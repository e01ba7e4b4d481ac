export { type GptEncoding, gptTokenCounter } from './gpt-token-counter.js'
