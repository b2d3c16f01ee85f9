import { fuzz } from './fuzz.ts';

fuzz('embedded');
