import { fuzz } from './fuzz.ts';

fuzz('postgres');
