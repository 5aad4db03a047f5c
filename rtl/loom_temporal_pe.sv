// loom_temporal_pe: executes instructions, one in a cycle, in the order in which their operands
//   arrive.
//
// Function: the sequencing of a temporal PE. An instruction has the operands condition, a and b, each
//   with a place for one token, from a source: n names result 0 of instruction n, NUM_INSTRUCTION + n
//   its result 1, 2 * NUM_INSTRUCTION + j input j, which has a place for a token, too. A round-robin
//   arbiter issues one instruction that has what it waits for, or gets it from what executes, or an
//   input with a token. In the next cycle it is prepared: its words are read. In the one after it
//   executes, if it has its operands and every reader of its results is free, and else is blocked until
//   something is executed or leaves. Words are kept by source, conditions by instruction. A source that
//   there is not: code 7, as long as the configuration lasts.
// Parameters: W bits of a word; NUM_INSTRUCTION, a power of two, at least 2; NUM_CONSTANT; N_IN
//   inputs, N_OUT outputs; N_OP opcodes, KIND how each executes, 3 bits: 0 compute, 1 join, 2 select,
//   3 mux, 4 branch, 5 carry, 6 loop, 7 invariant; CYCLES, how many an execution takes beyond the first,
//   2 bits; PREDICATE, bits of the predicate of an instruction; BITS of the configuration.
// Ports: cfg: instructions from the low end, each valid, opcode, predicate, three operands (source,
//   held and, where there are constants, immediate, but for the condition), constant; then outputs,
//   each enable, source; then constants. N_IN channels in, N_OUT channels out. What computes stands
//   outside: opcode, with a bit above it that is set for an instruction, and predicate are those of
//   what executes next, once advance is high; words a and b of what executes go there, result comes
//   back in the same cycle, or in the last one of an execution, 0 for an input. A word that is passed on
//   is a. error; idle (no token, all instructions in their first state).
// Timing: an instruction executes two cycles after what made its last operand, a mux three after its
//   condition, at most every third cycle, and an input three cycles after its token was taken, at most
//   every fourth. out_valid, in_ready, a and b are registers, opcode depends on registers alone. What an
//   instruction waits for is decoded into registers: the configuration counts a cycle later, and run
//   comes after that.
// Structure: the words are a LUT RAM with one write port and two read ports.
// Rule: rtl/README.md "Temporal PEs".
module loom_temporal_pe #(
    parameter int W               = 32,
    parameter int NUM_INSTRUCTION = 8,
    parameter int NUM_CONSTANT    = 4,
    parameter int N_IN            = 6,
    parameter int N_OUT           = 4,
    parameter int N_OP            = 8,
    parameter logic [3*N_OP-1:0] KIND = 24'o76543210,
    parameter logic [2*N_OP-1:0] CYCLES = {2*N_OP{1'b0}},
    parameter int PREDICATE       = 4,
    parameter int BITS            = 392
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [BITS-1:0]   cfg,
    input  logic [N_IN-1:0]   in_valid,
    output logic [N_IN-1:0]   in_ready,
    input  logic [N_IN*W-1:0] in_data,
    output logic [N_OUT-1:0]  out_valid,
    input  logic [N_OUT-1:0]  out_ready,
    output logic [N_OUT*W-1:0] out_data,
    output logic [$clog2(N_OP):0] opcode,
    output logic              advance,
    output logic [loom_pkg::at_least_1(PREDICATE)-1:0] predicate,
    output logic [W-1:0]      a,
    output logic [W-1:0]      b,
    input  logic [W-1:0]      result,
    output logic              err_valid,
    output logic [15:0]       err_code,
    output logic              idle
);
  localparam int K  = NUM_INSTRUCTION;
  localparam int L  = $clog2(K);
  localparam int SOURCES = 2 * K + N_IN;
  localparam int SW = $clog2(SOURCES);
  localparam int OW = $clog2(N_OP);
  localparam int CW = $clog2(NUM_CONSTANT);
  localparam int IMMEDIATE = (NUM_CONSTANT > 0) ? 1 : 0;
  localparam int M  = K + N_IN;  // what may be issued
  localparam int OPW = (OW > 0) ? OW : 1;
  localparam int PW  = (PREDICATE > 0) ? PREDICATE : 1;
  localparam int NW  = (CW > 0) ? CW : 1;
  // Positions in an instruction, and of what follows the instructions.
  localparam int AT_PREDICATE = 1 + OW;
  localparam int AT_CONDITION = AT_PREDICATE + PREDICATE;
  localparam int AT_A         = AT_CONDITION + SW + 1;
  localparam int AT_B         = AT_A + SW + 1 + IMMEDIATE;
  localparam int AT_CONSTANT  = AT_B + SW + 1 + IMMEDIATE;
  localparam int INSTRUCTION  = AT_CONSTANT + CW;
  localparam int OUTPUTS      = K * INSTRUCTION;
  localparam int CONSTANTS    = OUTPUTS + N_OUT * (1 + SW);

  initial if (K < 2 || K != (1 << L)) $fatal(1, "loom_temporal_pe: NUM_INSTRUCTION must be a power of two, at least 2");
  initial if (N_IN < 1 || N_OUT < 1 || N_OP < 1) $fatal(1, "loom_temporal_pe: N_IN, N_OUT and N_OP must be at least 1");
  initial if (BITS != CONSTANTS + NUM_CONSTANT * W) $fatal(1, "loom_temporal_pe: BITS must be those of the configuration");

  // The kinds, by what they have in common: alternates takes a or b, begins starts with a alone,
  // splits has a result for each condition. A selection, which does not alternate, is a code of its own.
  //   alternates begins splits
  //        0       0      0     all operands
  //        0       1      1     select
  //        1       0      0     mux
  //        0       0      1     branch
  //        1       1      0     carry
  //        1       0      1     loop
  //        0       1      0     invariant
  localparam logic [23:0] CODES = {3'b010, 3'b101, 3'b110, 3'b001, 3'b100, 3'b011, 3'b000, 3'b000};
  function automatic logic [(1<<OW)-1:0] with_bit(input int bit_number);
    for (int k = 0; k < (1 << OW); k++) with_bit[k] = 1'b0;
    for (int k = 0; k < N_OP; k++) with_bit[k] = CODES[3*KIND[3*k +: 3] + bit_number];
  endfunction
  localparam logic [(1<<OW)-1:0] SPLITS     = with_bit(0);
  localparam logic [(1<<OW)-1:0] BEGINS     = with_bit(1);
  localparam logic [(1<<OW)-1:0] ALTERNATES = with_bit(2);

  // Addresses of words, both results of an instruction at one. With few inputs the bit that tells the
  // results apart is left out; else no address but one of an input has it set.
  localparam int DENSE = (N_IN <= K) ? 1 : 0;
  localparam int AW    = (DENSE != 0) ? L + 1 : SW;

  // There: tokens at the conditions, then at a, then at b; coming: those that what executes would give.
  // What executes is on.
  logic [3*K-1:0]   there, coming;
  logic [K-1:0]     flag, state;
  logic [N_OUT-1:0] full;
  logic [M-1:0]     blocked, prepared, on;
  logic [N_IN-1:0]  waiting;  // inputs with a token
  logic             last, goes_on, ends;  // the last cycle of an execution, or none; another one follows; none does

  // ---- Issue, and what is known of what is prepared ----
  localparam int FIELDS = 9 + 2 * (AW + 2) + NW + PW + OPW;
  logic [K-1:0]      valid, ready;
  logic [M-1:0]      candidates, grant;
  logic [FIELDS-1:0] fields;
  generate
    for (genvar n = 0; n < K; n++) begin : g_issue
      logic [INSTRUCTION-1:0] own;
      logic [OPW-1:0] own_opcode;
      logic [PW-1:0]  own_predicate;
      logic [NW-1:0]  own_constant;
      logic [SW-1:0]  source_a, source_b;
      logic [AW-1:0]  place_a, place_b;
      logic held_c, held_a, held_b, immediate_a, immediate_b;
      logic alternates, begins, splits;
      logic known, has_c, has_a, has_b, swap, nothing, other;
      // What the configuration says of when it is ready, in registers.
      logic is_mux, is_carry, is_select, by_state, starts, branches, no_c, passes_b;
      logic [FIELDS-1:0] mine, upto;

      assign own      = cfg[n*INSTRUCTION +: INSTRUCTION];
      assign valid[n] = own[0];
      assign source_a = own[AT_A +: SW];
      assign source_b = own[AT_B +: SW];
      assign held_c   = own[AT_CONDITION+SW];
      assign held_a   = own[AT_A+SW];
      assign held_b   = own[AT_B+SW];
      if (OW > 0) begin : g_opcode
        assign own_opcode = own[1 +: OPW];
        assign alternates = ALTERNATES[own_opcode];
        assign begins     = BEGINS[own_opcode];
        assign splits     = SPLITS[own_opcode];
      end else begin : g_only
        assign own_opcode = 1'b0;
        assign {alternates, begins, splits} = {ALTERNATES, BEGINS, SPLITS};
      end
      if (PREDICATE > 0) begin : g_predicate
        assign own_predicate = own[AT_PREDICATE +: PW];
      end else begin : g_no_predicate
        assign own_predicate = 1'b0;
      end
      if (CW > 0) begin : g_constant
        assign own_constant = own[AT_CONSTANT +: NW];
      end else begin : g_no_constant
        assign own_constant = 1'b0;
      end
      if (IMMEDIATE != 0) begin : g_immediate
        assign immediate_a = own[AT_A+SW+1];
        assign immediate_b = own[AT_B+SW+1];
      end else begin : g_no_immediate
        assign {immediate_a, immediate_b} = 2'b00;
      end
      if (DENSE != 0) begin : g_dense
        assign place_a = {source_a[L+1], source_a[L-1:0]};
        assign place_b = {source_b[L+1], source_b[L-1:0]};
      end else begin : g_sparse
        assign place_a = {source_a[SW-1:L+1], source_a[L] & (|source_a[SW-1:L+1]), source_a[L-1:0]};
        assign place_b = {source_b[SW-1:L+1], source_b[L] & (|source_b[SW-1:L+1]), source_b[L-1:0]};
      end

      always_ff @(posedge clk) begin
        is_mux    <= alternates & ~begins & ~splits;
        is_carry  <= alternates & begins;
        is_select <= ~alternates & begins & splits;
        by_state  <= alternates & (begins | splits);
        starts    <= begins & ~splits & valid[n];
        branches  <= splits & ~begins;
        no_c      <= held_c & valid[n];
      end

      // What it has, or does not wait for. A held operand is there; an invariant has a in its second
      // state, and operands that a unit does not have are held. A mux takes a or b by its condition,
      // a carry and a loop by their state. A condition that is coming is not known: a mux waits for
      // it, a carry for b. An instruction that is not valid has no condition.
      assign passes_b = (is_mux & flag[n]) | (by_state & state[n]);
      assign known    = there[n] | no_c;
      assign has_c    = there[n] | (coming[n] & ~is_mux) | (no_c | (starts & ~state[n]));
      assign has_a    = there[K+n] | coming[K+n] | held_a | passes_b;
      assign has_b    = (there[2*K+n] | coming[2*K+n] | held_b) | ((is_mux & ~flag[n]) | (by_state & ~state[n])) |
                        (is_carry & known & ~flag[n]);
      assign ready[n] = has_c & has_a & has_b;
      // Whether b is what is passed on.
      assign swap     = passes_b | (is_select & ~flag[n]);

      // Nothing is passed on, or it is the second result.
      assign nothing  = starts & state[n] & ~flag[n];
      assign other    = branches & ~flag[n];

      assign mine = {nothing, other, alternates, begins, splits, state[n], ~flag[n], held_c, swap, immediate_b, held_b, place_b, immediate_a, held_a, place_a,
                     own_constant, own_predicate, own_opcode};
      if (n == 0) begin : g_first
        assign upto = mine & {FIELDS{prepared[n]}};
      end else begin : g_next
        assign upto = g_issue[n-1].upto | (mine & {FIELDS{prepared[n]}});
      end
    end
  endgenerate
  assign fields     = g_issue[K-1].upto;
  assign candidates = {waiting, ready} & ~(blocked | prepared | on) & {M{last}};

  logic some;
  logic unused_word;
  loom_arbiter #(
      .W(1),
      .N(M),
      .PARALLEL(1)
  ) u_arbiter (
      .clk      (clk),
      .rst      (rst),
      .in_valid (candidates),
      .in_ready (grant),
      .in_data  ({M{1'b0}}),
      .out_valid(some),
      .out_ready(1'b1),
      .out_data (unused_word)
  );

  logic any_prepared;
  always_ff @(posedge clk) begin
    if (rst) begin
      prepared     <= '0;
      any_prepared <= 1'b0;
    end else if (last) begin
      prepared     <= grant;
      any_prepared <= some;
    end
  end

  // ---- Preparation: its words, what it takes and gives ----
  // The number of what is prepared: of an instruction that of its result 0. Of an input all but its
  // number is 0.
  logic [SW-1:0] number;
  generate
    for (genvar i = 0; i < M; i++) begin : g_number
      localparam int NUMBER = (i < K) ? i : K + i;
      logic [SW-1:0] upto;
      if (i == 0) begin : g_first
        assign upto = '0;
      end else begin : g_next
        assign upto = g_number[i-1].upto | (NUMBER[SW-1:0] & {SW{prepared[i]}});
      end
    end
  endgenerate
  assign number = g_number[M-1].upto;

  logic           none, second, alternates, begins, splits, is_state, is_unset, swap, immediate_a, immediate_b, held_c, held_a, held_b;
  logic [AW-1:0]  place_a, place_b;
  logic [NW-1:0]  constant;
  logic [OPW-1:0] its_opcode;
  assign {none, second, alternates, begins, splits, is_state, is_unset, held_c, swap, immediate_b, held_b, place_b, immediate_a, held_a, place_a,
          constant, predicate, its_opcode} = fields;

  logic       take_c, take_a, take_b, stays, next_state;
  logic [2:0] take;
  assign take = {take_b, take_a, take_c};
  always_comb begin
    take_c     = 1'b1;
    take_a     = 1'b1;
    take_b     = 1'b1;
    stays      = 1'b0;  // a does
    next_state = 1'b0;
    case ({alternates, begins, splits})
      3'b100: begin  // mux
        take_a = is_unset;
        take_b = ~is_unset;
      end
      3'b110: begin  // carry
        take_c     = is_state;
        take_a     = ~is_state;
        take_b     = is_state & ~is_unset;
        next_state = ~is_state | ~is_unset;
      end
      3'b101: begin  // loop
        take_a     = ~is_state;
        take_b     = is_state;
        next_state = ~is_unset;
      end
      3'b010: begin  // invariant
        take_c     = is_state;
        take_a     = is_state & is_unset;
        take_b     = 1'b0;
        stays      = 1'b1;
        next_state = ~is_state | ~is_unset;
      end
      default: ;  // all operands
    endcase
  end

  // Which result is given: the second of an instruction, or what else there is. Both depend on conditions, which
  // come late, so readers are told apart by the bit of their source that names the result.
  logic          is_input, first;
  assign is_input = |number[SW-1:L+1];
  assign first    = any_prepared & ~none & ~second;

  // Whether a source is that of what is prepared, whichever result.
  function automatic logic same(input logic [SW-1:0] source, input logic [SW-1:0] of, input logic of_input);
    logic [SW-1:0] difference;
    difference = source ^ of;
    if ((DENSE != 0) | ~of_input) difference[L] = 1'b0;
    same = difference == '0;
  endfunction

  // ---- Execution ----
  // Reads: whoever reads a result of what executes, but its own operands that it takes; out_coming: the
  // outputs that would get it.
  logic             issued;
  logic [3*K-1:0]   reads;
  logic [N_OUT-1:0] out_reads, out_coming;
  logic [2:0]       takes, needs;
  logic             nothing, state_next;
  logic [SW-1:0]    place_number;
  always_ff @(posedge clk) begin
    if (rst) begin
      on     <= '0;
      issued <= 1'b0;
    end else if (last) begin
      on     <= prepared;
      issued <= any_prepared;
    end else begin
      on     <= on & {M{goes_on}};
      issued <= goes_on;
    end
    if (last) begin
      takes        <= take;
      needs        <= {take_b, take_a | stays, take_c} & ~{held_b, held_a, held_c} & {3{|prepared[K-1:0]}};
      nothing      <= none;
      state_next   <= next_state;
      place_number <= number;
    end
  end
  generate
    if (OW > 0) begin : g_code
      assign opcode = {|prepared[K-1:0], its_opcode};
    end else begin : g_no_code
      logic unused_opcode;
      assign unused_opcode = its_opcode;
      assign opcode = |prepared[K-1:0];
    end
  endgenerate
  assign advance = last;

  // Readers that have a token hold it up. It is short of an operand that was coming and did not.
  logic [2:0]   own;
  logic pending, short_of, free, fire, give;
  logic [W-1:0] word;
  assign own      = {|(there[2*K +: K] & on[K-1:0]), |(there[K +: K] & on[K-1:0]), |(there[0 +: K] & on[K-1:0])};
  assign pending  = (|(there & reads)) | (|(full & out_reads));
  assign short_of = |(needs & ~own);
  assign free     = issued & ~short_of & (nothing | ~pending);
  assign fire     = free & last;
  assign give     = fire & ~nothing;

  // While an execution takes more cycles nothing is issued; without room it ends in its first one.
  generate
    if (CYCLES != {2*N_OP{1'b0}}) begin : g_cycles
      localparam logic [2*(1<<OW)-1:0] ALL_CYCLES = (2*(1<<OW))'(CYCLES);
      logic [1:0] its_cycles, rest;
      logic       more;
      if (OW > 0) begin : g_table
        assign its_cycles = ALL_CYCLES[2*its_opcode +: 2];
      end else begin : g_only
        assign its_cycles = ALL_CYCLES;
      end
      assign last    = ~more;
      assign goes_on = free & more;
      assign ends    = more & ~free;
      always_ff @(posedge clk) begin
        if (rst) more <= 1'b0;
        else if (last) more <= (|prepared[K-1:0]) & (its_cycles != 2'd0);
        else more <= free & (rest != 2'd1);
        rest <= last ? its_cycles : rest - 2'd1;
      end
    end else begin : g_one_cycle
      logic unused_free;
      assign unused_free = free;
      assign last    = 1'b1;
      assign goes_on = 1'b0;
      assign ends    = 1'b0;
    end
  endgenerate

  generate
    for (genvar n = 0; n < K; n++) begin : g_places
      for (genvar k = 0; k < 3; k++) begin : g_operand
        localparam int AT = n * INSTRUCTION + ((k == 0) ? AT_CONDITION : (k == 1) ? AT_A : AT_B);
        logic [SW-1:0] source;
        logic held, mine;
        assign source = cfg[AT +: SW];
        assign held   = cfg[AT+SW];
        assign mine   = same(source, number, is_input);
        always_ff @(posedge clk) begin
          if (rst | ends) coming[k*K+n] <= 1'b0;
          else if (last) coming[k*K+n] <= mine & ~held & valid[n] & ((source[L] ^ number[L]) ? second : first);
          if (last) reads[k*K+n] <= mine & ~(prepared[n] & take[k]);
          if (rst) there[k*K+n] <= 1'b0;
          else if (fire) there[k*K+n] <= coming[k*K+n] | (there[k*K+n] & ~(on[n] & takes[k]));
        end
      end
      always_ff @(posedge clk) begin
        if (rst) state[n] <= 1'b0;
        else if (fire & on[n]) state[n] <= state_next;
        if (rst) flag[n] <= 1'b0;
        else if (fire & coming[n]) flag[n] <= word[0];
      end
    end
    for (genvar o = 0; o < N_OUT; o++) begin : g_output
      logic [SW-1:0] source;
      logic enable, mine;
      assign enable = cfg[OUTPUTS+o*(1+SW)];
      assign source = cfg[OUTPUTS+o*(1+SW)+1 +: SW];
      assign mine   = same(source, number, is_input);
      always_ff @(posedge clk) begin
        if (last) out_coming[o] <= mine & enable & ((source[L] ^ number[L]) ? second : first);
        if (last) out_reads[o] <= mine;
        if (rst) full[o] <= 1'b0;
        else full[o] <= (fire & out_coming[o]) | (full[o] & ~out_ready[o]);
        if (~full[o]) out_data[o*W +: W] <= word;
      end
    end
  endgenerate
  assign out_valid = full;

  // What has left lets everything try again, also what found no room in the cycle in which it left.
  logic left;
  always_ff @(posedge clk) begin
    left <= |(full & out_ready);
    if (rst | fire | left) blocked <= '0;
    else blocked <= blocked | (on & ~{M{goes_on}});
  end

  // ---- Words ----
  logic [W-1:0]  words [0:(1<<AW)-1];
  logic [W-1:0]  chosen, word_a, word_b, arrived;
  logic [N_IN*W-1:0] entered;
  logic [AW-1:0] place;
  generate
    if (CW > 0) begin : g_constants
      logic [NUM_CONSTANT*W-1:0] all;
      assign all    = cfg[CONSTANTS +: NUM_CONSTANT*W];
      assign chosen = all[constant*W +: W];
    end else begin : g_constant
      logic unused_constant;
      assign unused_constant = constant;
      if (NUM_CONSTANT > 0) begin : g_only
        assign chosen = cfg[CONSTANTS +: W];
      end else begin : g_none
        assign chosen = '0;
      end
    end
    if (DENSE != 0) begin : g_dense
      assign place = {place_number[L+1], place_number[L-1:0]};
    end else begin : g_sparse
      assign place = place_number;
    end
    for (genvar j = 0; j < N_IN; j++) begin : g_arrived
      logic [W-1:0] upto;
      always_ff @(posedge clk) begin
        if (rst) waiting[j] <= 1'b0;
        else waiting[j] <= waiting[j] ? ~(on[K+j] & fire) : in_valid[j];
        if (~waiting[j]) entered[j*W +: W] <= in_data[j*W +: W];
      end
      if (j == 0) begin : g_first
        assign upto = entered[j*W +: W] & {W{on[K+j]}};
      end else begin : g_next
        assign upto = g_arrived[j-1].upto | (entered[j*W +: W] & {W{on[K+j]}});
      end
    end
  endgenerate
  assign in_ready = ~waiting;
  assign arrived  = g_arrived[N_IN-1].upto;
  assign word_a   = (swap ? immediate_b : immediate_a) ? chosen : words[swap ? place_b : place_a] & {W{swap ? ~held_b : ~held_a}};
  assign word_b   = immediate_b ? chosen : words[place_b] & {W{~held_b}};
  assign word     = result | arrived;
  always_ff @(posedge clk) begin
    if (last) begin
      a <= word_a;
      b <= word_b;
    end
    // What reads a word may be prepared in the next cycle.
    if (give) words[place] <= word;
  end

  assign idle = ~((|there) | (|state) | (|full) | (|waiting) | any_prepared | issued);

  // ---- Errors ----
  generate
    if (SOURCES == (1 << SW)) begin : g_all
      assign err_valid = 1'b0;
    end else begin : g_check
      localparam int READERS = 3 * K + N_OUT;
      logic [READERS-1:0] wrong;
      for (genvar r = 0; r < READERS; r++) begin : g_reader
        localparam int AT = (r >= 3 * K) ? OUTPUTS + (r - 3 * K) * (1 + SW) + 1 :
                            (r / 3) * INSTRUCTION + ((r % 3 == 0) ? AT_CONDITION : (r % 3 == 1) ? AT_A : AT_B);
        assign wrong[r] = cfg[AT +: SW] >= SW'(SOURCES);
      end
      assign err_valid = ~rst & (|wrong);
    end
  endgenerate
  assign err_code = loom_pkg::ERR_CFG_TEMPORAL_PE_REG;
endmodule
