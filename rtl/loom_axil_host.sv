// loom_axil_host: the host's view of a fabric, an AXI4-Lite slave.
//
// Function    Holds argument registers, starts a run, collects results, counts
//             cycles, passes configuration words on, reads and writes the memories
//             that the host may see, and reports status, error code and identity.
//             The register map is the table in compiler/host/regmap.go, from which
//             header and documentation come.
// Parameters  N_IN, N_OUT     boundary channels of the fabric, 1 to 128 each
//             N_MEM           memories with a host port, 0 or more
//             MEM_ELEMENTS    their elements, 32 bits each, memory 0 lowest
//             LAYOUT_HASH     identity of fabric and configuration layout
//             VERSION         register map version
// Ports       s_axil_*        AXI4-Lite, 32-bit data, 12-bit byte address
//             fabric_rst      reset for the fabric: rst or a soft reset
//             cfg_*           configuration stream of the fabric
//             in_*, out_*     boundary channels, 64 data bits each
//             mem_*           host ports: mem_en one per memory, mem_rdata 64 bits
//                             each, in the cycle after mem_en
//             running, idle, error_valid, error_code: from the fabric
// Timing      One write and one read at a time; a write gets its response when it has
//             taken effect. A started run offers every enabled argument once and
//             takes every enabled result once; DONE when all have arrived. An
//             element is read or written in the cycle after its register access is
//             accepted; a read gets its response two cycles later than others.
// Rule        design page "RTL", top level.
module loom_axil_host #(
    parameter int N_IN = 1,
    parameter int N_OUT = 1,
    parameter int N_MEM = 0,
    parameter logic [((N_MEM > 1) ? N_MEM : 1)*32-1:0] MEM_ELEMENTS = '0,
    parameter logic [63:0] LAYOUT_HASH = 64'd0,
    parameter logic [31:0] VERSION = 32'd2
) (
    input  logic                clk,
    input  logic                rst,
    // AXI4-Lite slave
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [11:0]         s_axil_awaddr,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    input  logic [31:0]         s_axil_wdata,
    input  logic [3:0]          s_axil_wstrb,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    output logic [1:0]          s_axil_bresp,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    input  logic [11:0]         s_axil_araddr,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    output logic [31:0]         s_axil_rdata,
    output logic [1:0]          s_axil_rresp,
    // fabric
    output logic                fabric_rst,
    output logic                cfg_valid,
    input  logic                cfg_ready,
    output logic [31:0]         cfg_data,
    output logic                cfg_last,
    output logic [N_IN-1:0]     in_valid,
    input  logic [N_IN-1:0]     in_ready,
    output logic [N_IN*64-1:0]  in_data,
    input  logic [N_OUT-1:0]    out_valid,
    output logic [N_OUT-1:0]    out_ready,
    input  logic [N_OUT*64-1:0] out_data,
    output logic [((N_MEM > 1) ? N_MEM : 1)-1:0] mem_en,
    output logic                mem_we,
    output logic [31:0]         mem_addr,
    output logic [63:0]         mem_wdata,
    input  logic [((N_MEM > 1) ? N_MEM : 1)*64-1:0] mem_rdata,
    input  logic                running,
    input  logic                idle,
    input  logic                error_valid,
    input  logic [15:0]         error_code
);
    localparam logic [31:0] MAGIC = 32'h4D4F4F4C; // "LOOM", lowest byte first

    localparam logic [31:0] HASH_LO = LAYOUT_HASH[31:0], HASH_HI = LAYOUT_HASH[63:32];

    // Registers are words: address bits 11:2. Arguments start at 0x400, results
    // at 0x800, two words each, low half first.
    localparam logic [9:0] REG_MAGIC = 10'h000, REG_VERSION = 10'h001, REG_HASH_LO = 10'h002,
        REG_HASH_HI = 10'h003, REG_CONTROL = 10'h004, REG_STATUS = 10'h005, REG_ERROR = 10'h006,
        REG_CFG_DATA = 10'h007, REG_CFG_LAST = 10'h008, REG_CYCLES_LO = 10'h009,
        REG_CYCLES_HI = 10'h00A, REG_PORTS = 10'h00B, REG_ARG_ENABLE = 10'h010,
        REG_RESULT_ENABLE = 10'h014, REG_RESULT_VALID = 10'h018, REG_MEM_COUNT = 10'h01C,
        REG_MEM_SELECT = 10'h01D, REG_MEM_ELEMENTS = 10'h01E, REG_MEM_ADDR = 10'h01F,
        REG_MEM_DATA_LO = 10'h020, REG_MEM_DATA_HI = 10'h021;

    logic [N_IN-1:0]     arg_enable, pending;
    logic [N_OUT-1:0]    result_enable, got;
    logic [N_IN*64-1:0]  args;
    logic [N_OUT*64-1:0] results;
    logic                busy, done, soft_rst;
    logic [63:0]         cycles;

    // ---- write channel ----------------------------------------------------
    logic        write;       // address and data are both here and taken
    logic [9:0]  waddr;
    logic        cfg_busy;    // a configuration word waits for the loader
    logic        reading;     // an element is being read

    assign write          = s_axil_awvalid & s_axil_wvalid & ~s_axil_bvalid & ~cfg_busy & ~reading;
    assign s_axil_awready = write;
    assign s_axil_wready  = write;
    assign s_axil_bresp   = 2'b00;
    assign waddr          = s_axil_awaddr[11:2];
    assign cfg_valid      = cfg_busy;

    always_ff @(posedge clk) begin
        if (rst) begin
            s_axil_bvalid <= 1'b0;
            cfg_busy      <= 1'b0;
            cfg_data      <= 32'd0;
            cfg_last      <= 1'b0;
        end else begin
            if (write) begin
                s_axil_bvalid <= 1'b1;
                if (waddr == REG_CFG_DATA || waddr == REG_CFG_LAST) begin
                    cfg_busy <= 1'b1;
                    cfg_data <= s_axil_wdata;
                    cfg_last <= (waddr == REG_CFG_LAST);
                end
            end else if (s_axil_bready) begin
                s_axil_bvalid <= 1'b0;
            end
            if (cfg_busy && cfg_ready) cfg_busy <= 1'b0;
        end
    end

    // ---- arguments, run control, results ------------------------------------
    logic start;
    logic all_taken;
    assign start      = write & (waddr == REG_CONTROL) & s_axil_wdata[1] & running & ~busy;
    assign all_taken  = &(got | ~result_enable);
    assign in_valid   = pending;
    assign in_data    = args;
    assign out_ready  = {N_OUT{busy}} & result_enable & ~got;
    assign fabric_rst = rst | soft_rst;

    always_ff @(posedge clk) begin
        if (rst) begin
            soft_rst <= 1'b0;
        end else begin
            soft_rst <= write & (waddr == REG_CONTROL) & s_axil_wdata[0];
        end
        if (rst || soft_rst) begin
            pending <= '0;
            got     <= '0;
            busy    <= 1'b0;
            done    <= 1'b0;
            cycles  <= 64'd0;
        end else if (start) begin
            pending <= arg_enable;
            got     <= '0;
            busy    <= 1'b1;
            done    <= 1'b0;
            cycles  <= 64'd0;
        end else if (busy) begin
            pending <= pending & ~in_ready;
            got     <= got | (out_valid & out_ready);
            cycles  <= cycles + 64'd1;
            if (all_taken && idle) begin
                busy <= 1'b0;
                done <= 1'b1;
            end
        end
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            arg_enable    <= '0;
            result_enable <= '0;
            args          <= '0;
        end else if (write) begin
            for (int i = 0; i < N_IN; i++) begin
                if (waddr == REG_ARG_ENABLE + 10'(i / 32)) arg_enable[i] <= s_axil_wdata[i % 32];
                if (waddr == 10'h100 + 10'(2 * i)) args[i*64 +: 32] <= s_axil_wdata;
                if (waddr == 10'h101 + 10'(2 * i)) args[i*64+32 +: 32] <= s_axil_wdata;
            end
            for (int i = 0; i < N_OUT; i++) begin
                if (waddr == REG_RESULT_ENABLE + 10'(i / 32)) result_enable[i] <= s_axil_wdata[i % 32];
            end
        end
    end

    always_ff @(posedge clk) begin
        for (int i = 0; i < N_OUT; i++) begin
            if (out_valid[i] && out_ready[i]) results[i*64 +: 64] <= out_data[i*64 +: 64];
        end
    end

    // ---- memories -----------------------------------------------------------
    // An access to the low data word reads or writes the element and moves on to the
    // next one; the high word only holds its other half.
    localparam int MEMS = (N_MEM > 1) ? N_MEM : 1;
    localparam int SELW = (MEMS > 1) ? $clog2(MEMS) : 1;

    logic            read;                  // a read is accepted
    logic [9:0]      raddr;
    logic [SELW-1:0] mem_select;
    logic            mem_named;             // the number selected is that of a memory
    logic [31:0]     mem_next, mem_elements, mem_hi;
    logic [63:0]     mem_word;
    logic            mem_write, mem_read, mem_inside;
    logic            read_access, read_answer, read_inside; // the two cycles of an element's read

    assign mem_elements = mem_named ? MEM_ELEMENTS[mem_select*32 +: 32] : 32'd0;
    assign mem_inside   = mem_next < mem_elements;
    assign mem_write    = write & (waddr == REG_MEM_DATA_LO);
    assign mem_read     = read & (raddr == REG_MEM_DATA_LO);
    assign reading      = read_access | read_answer;
    assign mem_word     = mem_rdata[mem_select*64 +: 64] & {64{read_inside}};

    always_ff @(posedge clk) begin
        if (rst) begin
            mem_select  <= '0;
            mem_named   <= (N_MEM != 0);
            mem_next    <= 32'd0;
            mem_en      <= '0;
            mem_we      <= 1'b0;
            read_access <= 1'b0;
            read_answer <= 1'b0;
        end else begin
            for (int m = 0; m < MEMS; m++) begin
                mem_en[m] <= (mem_write | mem_read) & mem_inside & (mem_select == m[SELW-1:0]);
            end
            mem_we      <= mem_write;
            read_access <= mem_read;
            read_answer <= read_access;
            if (write && waddr == REG_MEM_SELECT) begin
                mem_select <= s_axil_wdata[SELW-1:0];
                mem_named  <= (N_MEM != 0) & (s_axil_wdata <= 32'(MEMS - 1));
            end
            if (write && waddr == REG_MEM_ADDR) mem_next <= s_axil_wdata;
            else if (mem_write || mem_read) mem_next <= mem_next + 32'd1;
        end
    end

    always_ff @(posedge clk) begin
        if (mem_write || mem_read) mem_addr <= mem_next;
        if (mem_write) mem_wdata <= {mem_hi, s_axil_wdata};
        if (mem_read) read_inside <= mem_inside;
        if (write && waddr == REG_MEM_DATA_HI) mem_hi <= s_axil_wdata;
        else if (read_answer) mem_hi <= mem_word[63:32];
    end

    // ---- read channel -------------------------------------------------------
    // Reads wait for a write of the same cycle; both wait for an element being read.
    logic [31:0] rdata;
    assign raddr          = s_axil_araddr[11:2];
    assign s_axil_arready = ~s_axil_rvalid & ~write & ~reading;
    assign read           = s_axil_arvalid & s_axil_arready;
    assign s_axil_rresp   = 2'b00;

    // Result registers selected by address; outside their range they read as 0.
    localparam int OUT_WORDS = 2 * N_OUT;
    logic [127:0] got_all;
    logic [31:0]  got_word, result_word;
    logic         in_got, in_results;
    assign got_all     = 128'(got);
    assign in_got      = raddr[9:2] == REG_RESULT_VALID[9:2];
    assign got_word    = got_all[{raddr[1:0], 5'd0} +: 32];
    assign in_results  = raddr[9:8] == 2'b10 && {24'd0, raddr[7:0]} < OUT_WORDS;
    assign result_word = results[32 * {24'd0, (in_results ? raddr[7:0] : 8'd0)} +: 32];

    // Icarus wants no constant selects inside always_comb.
    logic [31:0] cycles_lo, cycles_hi;
    assign {cycles_hi, cycles_lo} = cycles;

    always_comb begin
        case (raddr)
            REG_MAGIC:        rdata = MAGIC;
            REG_VERSION:      rdata = VERSION;
            REG_HASH_LO:      rdata = HASH_LO;
            REG_HASH_HI:      rdata = HASH_HI;
            REG_STATUS:       rdata = {27'd0, idle, error_valid, done, busy, running};
            REG_ERROR:        rdata = {16'd0, error_code};
            REG_CYCLES_LO:    rdata = cycles_lo;
            REG_CYCLES_HI:    rdata = cycles_hi;
            REG_PORTS:        rdata = {16'(N_OUT), 16'(N_IN)};
            REG_MEM_COUNT:    rdata = N_MEM;
            REG_MEM_ELEMENTS: rdata = mem_elements;
            REG_MEM_ADDR:     rdata = mem_next;
            REG_MEM_DATA_HI:  rdata = mem_hi;
            default:          rdata = in_got ? got_word : in_results ? result_word : 32'd0;
        endcase
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            s_axil_rvalid <= 1'b0;
            s_axil_rdata  <= 32'd0;
        end else if (read_answer) begin
            s_axil_rvalid <= 1'b1;
            s_axil_rdata  <= mem_word[31:0];
        end else if (read && !mem_read) begin
            s_axil_rvalid <= 1'b1;
            s_axil_rdata  <= rdata;
        end else if (s_axil_rready) begin
            s_axil_rvalid <= 1'b0;
        end
    end

    // Byte strobes and the two low address bits are not used: registers are
    // written as whole words, as loom_accel.c does.
    logic unused;
    assign unused = &{1'b0, s_axil_wstrb, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

    initial begin
        if (N_IN < 1 || N_IN > 128) $fatal(1, "loom_axil_host: N_IN must be 1 to 128");
        if (N_OUT < 1 || N_OUT > 128) $fatal(1, "loom_axil_host: N_OUT must be 1 to 128");
    end
endmodule
