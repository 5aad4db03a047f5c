/* Executes a small instruction set of 32-bit words on 32 registers until an unknown instruction or the limit; returns the count.
 * Special: nested switches with goto out of them, registers that are read and written by data, 64-bit products.
 * Sizes: 1 8 */
#include <stdint.h>

int mips(const uint32_t code[restrict 16], uint32_t data[restrict 16], uint32_t reg[restrict 32], int limit)
{
    uint32_t pc = 0;
    int64_t product = 0;
    int n = 0;
    while (n < limit && n < 100) {
        uint32_t word = code[pc & 15];
        uint32_t rs = word >> 21 & 31, rt = word >> 16 & 31, rd = word >> 11 & 31;
        int16_t imm = word;
        pc++;
        n++;
        switch (word >> 26 & 15) {
        case 0:
            switch (word & 31) {
            case 1: reg[rd] = reg[rs] + reg[rt]; break;
            case 3: reg[rd] = reg[rs] - reg[rt]; break;
            case 4: reg[rd] = reg[rs] & reg[rt]; break;
            case 6: reg[rd] = reg[rs] ^ reg[rt]; break;
            case 10: reg[rd] = (int32_t)reg[rs] < (int32_t)reg[rt]; break;
            case 16: reg[rd] = product >> 32; break;
            case 24: product = (int64_t)(int32_t)reg[rs] * (int32_t)reg[rt]; break;
            default: break;
            }
            break;
        case 2: pc = imm & 15; break;
        case 3: reg[rt] = data[(reg[rs] + imm) & 15]; break;
        case 4: if (reg[rs] == reg[rt]) pc += imm; break;
        case 9: reg[rt] = reg[rs] + imm; break;
        case 11: data[(reg[rs] + imm) & 15] = reg[rt]; break;
        case 14: goto stop;
        default: break;
        }
        reg[0] = 0;
    }
stop:
    return n;
}
