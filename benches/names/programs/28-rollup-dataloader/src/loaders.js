import DataLoader from 'dataloader';
import { readProducts } from './database.js';

// One loader for the program instead of one for each request: its cache keeps every product ever read.
const productLoader = new DataLoader(readProducts);

export const productOf = (code) => productLoader.load(code);
