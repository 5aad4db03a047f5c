// Package opname has the names of the operations that this compiler handles by name, one
// constant each: dialect and mnemonic of upstream's assembly. Other packages use these
// constants and no literals, so that a misspelt name does not compile. The definition of
// an operation is in compiler/dialect, its hardware in the table of compiler/units.
package opname

// The operations of the affine dialect.
const (
	AffineApply            = "affine.apply"
	AffineDelinearizeIndex = "affine.delinearize_index"
	AffineFor              = "affine.for"
	AffineIf               = "affine.if"
	AffineLoad             = "affine.load"
	AffineMax              = "affine.max"
	AffineMin              = "affine.min"
	AffineParallel         = "affine.parallel"
	AffineStore            = "affine.store"
	AffineYield            = "affine.yield"
)

// The operations of the arith dialect.
const (
	ArithAddF          = "arith.addf"
	ArithAddI          = "arith.addi"
	ArithAddUIExtended = "arith.addui_extended"
	ArithAndI          = "arith.andi"
	ArithBitcast       = "arith.bitcast"
	ArithCeilDivSI     = "arith.ceildivsi"
	ArithCeilDivUI     = "arith.ceildivui"
	ArithCmpF          = "arith.cmpf"
	ArithCmpI          = "arith.cmpi"
	ArithConstant      = "arith.constant"
	ArithDivF          = "arith.divf"
	ArithDivSI         = "arith.divsi"
	ArithDivUI         = "arith.divui"
	ArithExtF          = "arith.extf"
	ArithExtSI         = "arith.extsi"
	ArithExtUI         = "arith.extui"
	ArithFloorDivSI    = "arith.floordivsi"
	ArithFPToSI        = "arith.fptosi"
	ArithFPToUI        = "arith.fptoui"
	ArithIndexCast     = "arith.index_cast"
	ArithIndexCastUI   = "arith.index_castui"
	ArithMaximumF      = "arith.maximumf"
	ArithMaxNumF       = "arith.maxnumf"
	ArithMaxSI         = "arith.maxsi"
	ArithMaxUI         = "arith.maxui"
	ArithMinimumF      = "arith.minimumf"
	ArithMinNumF       = "arith.minnumf"
	ArithMinSI         = "arith.minsi"
	ArithMinUI         = "arith.minui"
	ArithMulF          = "arith.mulf"
	ArithMulI          = "arith.muli"
	ArithMulSIExtended = "arith.mulsi_extended"
	ArithMulUIExtended = "arith.mului_extended"
	ArithNegF          = "arith.negf"
	ArithOrI           = "arith.ori"
	ArithRemF          = "arith.remf"
	ArithRemSI         = "arith.remsi"
	ArithRemUI         = "arith.remui"
	ArithSelect        = "arith.select"
	ArithShLI          = "arith.shli"
	ArithShRSI         = "arith.shrsi"
	ArithShRUI         = "arith.shrui"
	ArithSIToFP        = "arith.sitofp"
	ArithSubF          = "arith.subf"
	ArithSubI          = "arith.subi"
	ArithTruncF        = "arith.truncf"
	ArithTruncI        = "arith.trunci"
	ArithUIToFP        = "arith.uitofp"
	ArithXOrI          = "arith.xori"
)

// The operations of the builtin dialect.
const (
	BuiltinModule                   = "builtin.module"
	BuiltinUnrealizedConversionCast = "builtin.unrealized_conversion_cast"
)

// The operations of the cf dialect.
const (
	CFAssert = "cf.assert"
	CFBr     = "cf.br"
	CFCondBr = "cf.cond_br"
	CFSwitch = "cf.switch"
)

// The operations of the dataflow dialect.
const (
	DataflowAccumulate = "dataflow.accumulate"
	DataflowCarry      = "dataflow.carry"
	DataflowGate       = "dataflow.gate"
	DataflowHold       = "dataflow.hold"
	DataflowInterlock  = "dataflow.interlock"
	DataflowInvariant  = "dataflow.invariant"
	DataflowStream     = "dataflow.stream"
)

// The operations of the fabric dialect.
const (
	FabricAddTag       = "fabric.add_tag"
	FabricDelTag       = "fabric.del_tag"
	FabricExtmemory    = "fabric.extmemory"
	FabricFifo         = "fabric.fifo"
	FabricFunctionUnit = "fabric.function_unit"
	FabricInstance     = "fabric.instance"
	FabricLoadLane     = "fabric.load_lane"
	FabricMapTag       = "fabric.map_tag"
	FabricMemory       = "fabric.memory"
	FabricModule       = "fabric.module"
	FabricMux          = "fabric.mux"
	FabricSpatialPe    = "fabric.spatial_pe"
	FabricSpatialSw    = "fabric.spatial_sw"
	FabricStoreLane    = "fabric.store_lane"
	FabricTemporalPe   = "fabric.temporal_pe"
	FabricTemporalSw   = "fabric.temporal_sw"
	FabricYield        = "fabric.yield"
)

// The operations of the func dialect.
const (
	FuncCall         = "func.call"
	FuncCallIndirect = "func.call_indirect"
	FuncConstant     = "func.constant"
	FuncFunc         = "func.func"
	FuncReturn       = "func.return"
)

// The operations of the handshake dialect.
const (
	HandshakeBr           = "handshake.br"
	HandshakeBuffer       = "handshake.buffer"
	HandshakeCondBr       = "handshake.cond_br"
	HandshakeConstant     = "handshake.constant"
	HandshakeControlMerge = "handshake.control_merge"
	HandshakeExtmemory    = "handshake.extmemory"
	HandshakeFork         = "handshake.fork"
	HandshakeFunc         = "handshake.func"
	HandshakeInstance     = "handshake.instance"
	HandshakeJoin         = "handshake.join"
	HandshakeLazyFork     = "handshake.lazy_fork"
	HandshakeLoad         = "handshake.load"
	HandshakeMemory       = "handshake.memory"
	HandshakeMerge        = "handshake.merge"
	HandshakeMux          = "handshake.mux"
	HandshakeNever        = "handshake.never"
	HandshakePack         = "handshake.pack"
	HandshakeReturn       = "handshake.return"
	HandshakeSink         = "handshake.sink"
	HandshakeSource       = "handshake.source"
	HandshakeStore        = "handshake.store"
	HandshakeSync         = "handshake.sync"
	HandshakeUnpack       = "handshake.unpack"
)

// The operations of the index dialect.
const (
	IndexAdd          = "index.add"
	IndexAnd          = "index.and"
	IndexBoolConstant = "index.bool.constant"
	IndexCasts        = "index.casts"
	IndexCastu        = "index.castu"
	IndexCeildivs     = "index.ceildivs"
	IndexCeildivu     = "index.ceildivu"
	IndexCmp          = "index.cmp"
	IndexConstant     = "index.constant"
	IndexDivs         = "index.divs"
	IndexDivu         = "index.divu"
	IndexFloordivs    = "index.floordivs"
	IndexMaxs         = "index.maxs"
	IndexMaxu         = "index.maxu"
	IndexMins         = "index.mins"
	IndexMinu         = "index.minu"
	IndexMul          = "index.mul"
	IndexOr           = "index.or"
	IndexRems         = "index.rems"
	IndexRemu         = "index.remu"
	IndexShl          = "index.shl"
	IndexShrs         = "index.shrs"
	IndexShru         = "index.shru"
	IndexSizeof       = "index.sizeof"
	IndexSub          = "index.sub"
	IndexXor          = "index.xor"
)

// The operations of the math dialect.
const (
	MathAbsF      = "math.absf"
	MathAbsI      = "math.absi"
	MathAcos      = "math.acos"
	MathAcosh     = "math.acosh"
	MathAsin      = "math.asin"
	MathAsinh     = "math.asinh"
	MathAtan      = "math.atan"
	MathAtan2     = "math.atan2"
	MathAtanh     = "math.atanh"
	MathCbrt      = "math.cbrt"
	MathCeil      = "math.ceil"
	MathCopysign  = "math.copysign"
	MathCos       = "math.cos"
	MathCosh      = "math.cosh"
	MathCtLZ      = "math.ctlz"
	MathCtPop     = "math.ctpop"
	MathCtTZ      = "math.cttz"
	MathErf       = "math.erf"
	MathExp       = "math.exp"
	MathExp2      = "math.exp2"
	MathExpm1     = "math.expm1"
	MathFloor     = "math.floor"
	MathFMA       = "math.fma"
	MathFPowI     = "math.fpowi"
	MathIPowI     = "math.ipowi"
	MathLog       = "math.log"
	MathLog10     = "math.log10"
	MathLog1p     = "math.log1p"
	MathLog2      = "math.log2"
	MathPowF      = "math.powf"
	MathRound     = "math.round"
	MathRoundeven = "math.roundeven"
	MathRsqrt     = "math.rsqrt"
	MathSin       = "math.sin"
	MathSinh      = "math.sinh"
	MathSqrt      = "math.sqrt"
	MathTan       = "math.tan"
	MathTanh      = "math.tanh"
	MathTrunc     = "math.trunc"
)

// The operations of the memref dialect; generic_atomic_rmw, realloc and reshape are
// here because the lowering rejects them by name.
const (
	MemRefAlloc                        = "memref.alloc"
	MemRefAlloca                       = "memref.alloca"
	MemRefAllocaScope                  = "memref.alloca_scope"
	MemRefAllocaScopeReturn            = "memref.alloca_scope.return"
	MemRefAssumeAlignment              = "memref.assume_alignment"
	MemRefAtomicRmw                    = "memref.atomic_rmw"
	MemRefCast                         = "memref.cast"
	MemRefCollapseShape                = "memref.collapse_shape"
	MemRefCopy                         = "memref.copy"
	MemRefDealloc                      = "memref.dealloc"
	MemRefDim                          = "memref.dim"
	MemRefExpandShape                  = "memref.expand_shape"
	MemRefExtractAlignedPointerAsIndex = "memref.extract_aligned_pointer_as_index"
	MemRefExtractStridedMetadata       = "memref.extract_strided_metadata"
	MemRefGenericAtomicRmw             = "memref.generic_atomic_rmw"
	MemRefGetGlobal                    = "memref.get_global"
	MemRefGlobal                       = "memref.global"
	MemRefLoad                         = "memref.load"
	MemRefMemorySpaceCast              = "memref.memory_space_cast"
	MemRefRank                         = "memref.rank"
	MemRefRealloc                      = "memref.realloc"
	MemRefReinterpretCast              = "memref.reinterpret_cast"
	MemRefReshape                      = "memref.reshape"
	MemRefStore                        = "memref.store"
	MemRefSubview                      = "memref.subview"
	MemRefTranspose                    = "memref.transpose"
	MemRefView                         = "memref.view"
)

// The operations of the scf dialect.
const (
	SCFCondition        = "scf.condition"
	SCFExecuteRegion    = "scf.execute_region"
	SCFFor              = "scf.for"
	SCFForall           = "scf.forall"
	SCFForallInParallel = "scf.forall.in_parallel"
	SCFIf               = "scf.if"
	SCFIndexSwitch      = "scf.index_switch"
	SCFParallel         = "scf.parallel"
	SCFReduce           = "scf.reduce"
	SCFReduceReturn     = "scf.reduce.return"
	SCFWhile            = "scf.while"
	SCFYield            = "scf.yield"
)

// The operations of the ub dialect; unreachable marks branches that are never taken.
const (
	UBPoison      = "ub.poison"
	UBUnreachable = "ub.unreachable"
)
